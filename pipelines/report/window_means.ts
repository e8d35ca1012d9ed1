import type { MetricsLine } from "./read_run.ts";

/** Mean of a metric at the start and at the end of a run; undefined where it was never a number. */
export interface WindowMeans {
  readonly first: number;
  readonly last: number;
}

/** Means over the first and the last `width` steps (at most a half each) that have `name`. */
export function windowMeans(
  lines: readonly MetricsLine[],
  name: string,
  width = 10,
): WindowMeans | undefined {
  const values = lines.flatMap(({ values }) => values[name] ?? []);
  if (values.length === 0) return undefined;
  const size = Math.max(1, Math.min(width, Math.floor(values.length / 2)));
  return { first: mean(values.slice(0, size)), last: mean(values.slice(-size)) };
}

function mean(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0) / values.length;
}
