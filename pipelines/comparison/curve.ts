import type { CurvePoint } from "./run_result.ts";

/** What a curve is drawn against. */
export type Axis = "tokens" | "seconds";

/** Success at `x`, linear between evaluations; beyond the first and the last it is theirs. */
export function successAt(curve: readonly CurvePoint[], axis: Axis, x: number): number {
  const after = curve.findIndex((point) => point[axis] >= x);
  if (after === 0) return curve[0].success;
  if (after < 0) return curve[curve.length - 1].success;
  const [a, b] = [curve[after - 1], curve[after]];
  return a.success + (b.success - a.success) * (x - a[axis]) / (b[axis] - a[axis]);
}

/** Mean success from 0 to `end`: the area below the curve, divided by `end`. */
export function meanSuccess(curve: readonly CurvePoint[], axis: Axis, end: number): number {
  const inner = curve.map((point) => point[axis]).filter((x) => x > 0 && x < end);
  const xs = [0, ...inner, end];
  const ys = xs.map((x) => successAt(curve, axis, x));
  const area = xs.slice(1).reduce((sum, x, i) => sum + (x - xs[i]) * (ys[i] + ys[i + 1]) / 2, 0);
  return area / end;
}

/** Where the curve first reaches `level`, at most at `end`; undefined if it does not. */
export function costOf(
  curve: readonly CurvePoint[],
  axis: Axis,
  level: number,
  end = Infinity,
): number | undefined {
  const at = curve.findIndex(({ success }) => success >= level);
  if (at < 0) return undefined;
  const [a, b] = [curve[Math.max(0, at - 1)], curve[at]];
  const share = at === 0 ? 1 : (level - a.success) / (b.success - a.success);
  const x = a[axis] + (b[axis] - a[axis]) * share;
  return x <= end ? x : undefined;
}
