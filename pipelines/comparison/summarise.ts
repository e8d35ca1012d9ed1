import type { RateSearch } from "./choose_rate.ts";
import type { Comparison } from "./comparison.ts";
import { type Axis, costOf, meanSuccess, successAt } from "./curve.ts";
import type { RunResult } from "./run_result.ts";
import { type Interval, studentInterval } from "./student_interval.ts";

/** What it cost to gain `gain`; `reached` of `runs` did, and the interval is theirs if all did. */
export interface Cost {
  readonly reached: number;
  readonly runs: number;
  readonly interval: Interval | null;
}

/** One method from one start, over its seeds. */
export interface EntrySummary {
  readonly entry: string;
  readonly rate: number;
  readonly search: RateSearch;
  readonly runs: readonly RunResult[];
  /** Held-out success at the budget. */
  readonly success: Interval;
  /** Mean held-out success on the way to the budget. */
  readonly meanSuccess: Interval;
  readonly costs: Readonly<Record<Axis, Cost>>;
  /** Differences to the reference on the same seeds; null for itself, or without common seeds. */
  readonly minusReference: { readonly success: Interval; readonly meanSuccess: Interval } | null;
  readonly steps: number;
  readonly tokens: number;
  readonly seconds: number;
  /** Mean processor seconds of a run; null if one of the runs has none. */
  readonly processorSeconds: number | null;
  /** Mean seconds of a run by stage. */
  readonly split: Readonly<Record<string, number>>;
}

/** All methods from one start. */
export interface StartSummary {
  readonly start: string;
  /** Held-out success before training. */
  readonly before: number;
  readonly entries: readonly EntrySummary[];
}

/** What the finished runs say, in the order of the configuration; entries without a finished run are left out. */
export function summarise(
  { settings, reference }: Comparison,
  results: readonly RunResult[],
  searchOf: (start: string, entry: string) => RateSearch,
): readonly StartSummary[] {
  return Object.keys(settings.starts).flatMap((start) => {
    const here = results.filter((result) => result.phase === "run" && result.start === start);
    if (here.length === 0) return [];
    const runsOf = (entry: string) => here.filter((result) => result.entry === entry);
    const finalOf = ({ curve }: RunResult) => successAt(curve, "tokens", settings.tokens);
    const meanOf = ({ curve }: RunResult) => meanSuccess(curve, "tokens", settings.tokens);
    const entries = Object.keys(settings.entries).flatMap((entry): readonly EntrySummary[] => {
      const runs = runsOf(entry);
      if (runs.length === 0) return [];
      const pairs = entry === reference ? [] : runs.flatMap((run) => {
        const partner = runsOf(reference).find(({ seed }) => seed === run.seed);
        return partner === undefined ? [] : [{ run, partner }];
      });
      const minus = (f: (run: RunResult) => number) =>
        studentInterval(pairs.map(({ run, partner }) => f(run) - f(partner)));
      const mean = (f: (run: RunResult) => number) => studentInterval(runs.map(f)).mean;
      const search = searchOf(start, entry);
      return [{
        entry,
        rate: runs[0].rate,
        search,
        runs,
        success: studentInterval(runs.map(finalOf)),
        meanSuccess: studentInterval(runs.map(meanOf)),
        costs: { tokens: costs(runs, "tokens", settings), seconds: costs(runs, "seconds", settings) },
        minusReference: pairs.length === 0 ? null : { success: minus(finalOf), meanSuccess: minus(meanOf) },
        steps: mean(({ steps }) => steps),
        tokens: mean(({ tokens }) => tokens),
        seconds: mean(({ seconds }) => seconds),
        processorSeconds: runs.every(({ processorSeconds }) => processorSeconds !== undefined)
          ? mean(({ processorSeconds = 0 }) => processorSeconds)
          : null,
        split: Object.fromEntries(
          Object.keys(runs[0].split).map((stage) => [stage, mean(({ split }) => split[stage])]),
        ),
      }];
    });
    return [{ start, before: studentInterval(here.map(({ curve }) => curve[0].success)).mean, entries }];
  });
}

function costs(
  runs: readonly RunResult[],
  axis: Axis,
  { gain, tokens }: { readonly gain: number; readonly tokens: number },
): Cost {
  const reached = runs.flatMap(({ curve }) => {
    const level = curve[0].success + gain;
    // What is reached beyond the budget, in the step that ends the run, does not count.
    const within = costOf(curve, "tokens", level, tokens) !== undefined;
    return within ? costOf(curve, axis, level) ?? [] : [];
  });
  return {
    reached: reached.length,
    runs: runs.length,
    interval: reached.length === runs.length ? studentInterval(reached) : null,
  };
}
