import { searchTokens } from "../../stages/config/comparison_config.ts";
import { duration } from "../terminal/progress_line.ts";
import type { Comparison, RunSpec } from "./comparison.ts";

/** Where a comparison stands. */
export interface Pace {
  /** Comes to the next run. */
  readonly next: (spec: RunSpec) => void;
  /** `12/132`. */
  readonly place: () => string;
  /** What is left, judged by the seconds that a token took in the runs that were trained. */
  readonly left: (spec: RunSpec, seconds: number) => string;
}

/** The pace of a comparison that has not begun. */
export function makePace({ settings, searchRuns }: Comparison): Pace {
  const { starts, entries, seeds } = settings;
  const compared = Object.keys(starts).length * Object.keys(entries).length * seeds.length;
  const total = searchRuns.length + compared;
  const budgetOf = ({ phase }: RunSpec) => phase === "search" ? searchTokens(settings) : settings.tokens;
  let [done, budgetLeft] = [0, searchRuns.length * searchTokens(settings) + compared * settings.tokens];
  let [seconds, tokens] = [0, 0];
  return {
    next: (spec) => {
      done++;
      budgetLeft -= budgetOf(spec);
    },
    place: () => `${done}/${total}`,
    left: (spec, took) => {
      seconds += took;
      tokens += budgetOf(spec);
      return `about ${duration(seconds / tokens * budgetLeft)} left`;
    },
  };
}
