import type { Comparison } from "./comparison.ts";
import { type Axis, successAt } from "./curve.ts";
import { studentInterval } from "./student_interval.ts";
import type { EntrySummary, StartSummary } from "./summarise.ts";
import { type CurveRow, curveSpec } from "./curve_spec.ts";

/** A chart of a comparison. */
export interface ComparisonChart {
  readonly title: string;
  readonly caption: string;
  /** `wide` shows all methods from one start, `small` one method beside the reference. */
  readonly size: "wide" | "small";
  readonly start: string;
  /** Vega-Lite. */
  readonly spec: Readonly<Record<string, unknown>>;
}

/** Points of a mean curve. */
const POINTS = 40;

/** For each start: all means against tokens and against seconds, then each method beside the reference. */
export function comparisonCharts(
  { settings, reference }: Comparison,
  starts: readonly StartSummary[],
): readonly ComparisonChart[] {
  const ends = { tokens: settings.tokens, seconds: Infinity };
  return starts.flatMap(({ start, entries }): readonly ComparisonChart[] => {
    const names = entries.map(({ entry }) => entry);
    const wide = (axis: Axis): ComparisonChart => ({
      title: `${start}: held-out success against ${
        axis === "tokens" ? "generated tokens" : "seconds of training"
      }`,
      caption: "Means over seeds.",
      size: "wide",
      start,
      spec: curveSpec({
        rows: entries.flatMap((entry) => meanCurve(entry, axis, ends[axis])),
        axis,
        names,
        size: "wide",
      }),
    });
    const beside = entries.find(({ entry }) => entry === reference);
    const small = entries.filter(({ entry }) => entry !== reference || entries.length === 1).map((
      entry,
    ): ComparisonChart => ({
      title: beside === undefined || beside === entry ? entry.entry : `${entry.entry} and ${reference}`,
      caption: "Mean with its 95 % interval over seeds, and each seed.",
      size: "small",
      start,
      spec: curveSpec({
        rows: [entry, ...(beside === undefined || beside === entry ? [] : [beside])].flatMap((one) => [
          ...meanCurve(one, "tokens", settings.tokens),
          ...one.runs.flatMap(({ seed, curve }) =>
            curve.map((point): CurveRow => ({
              x: point.tokens / 1000,
              y: point.success,
              name: one.entry,
              seed,
            }))
          ),
        ]),
        axis: "tokens",
        names: [entry.entry, ...(beside === undefined || beside === entry ? [] : [reference])],
        size: "small",
      }),
    }));
    return [wide("tokens"), wide("seconds"), ...small];
  });
}

/** The mean over seeds, as far as every seed got. */
function meanCurve({ entry, runs }: EntrySummary, axis: Axis, most: number): readonly CurveRow[] {
  const end = Math.min(most, ...runs.map(({ curve }) => curve[curve.length - 1][axis]));
  return Array.from({ length: POINTS + 1 }, (_, i): CurveRow => {
    const x = end * i / POINTS;
    const { mean, half } = studentInterval(runs.map(({ curve }) => successAt(curve, axis, x)));
    const band = half === null ? {} : { low: Math.max(0, mean - half), high: Math.min(1, mean + half) };
    return { x: axis === "tokens" ? x / 1000 : x, y: mean, name: entry, ...band };
  });
}
