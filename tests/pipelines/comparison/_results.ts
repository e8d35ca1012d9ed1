import type { RunSpec } from "../../../pipelines/comparison/comparison.ts";
import type { RunResult } from "../../../pipelines/comparison/run_result.ts";

/** A finished run whose success goes in a straight line from `first` to `last` over `tokens`. */
export function resultOf(
  place: Pick<RunSpec, "start" | "entry" | "seed"> & Partial<Pick<RunSpec, "phase" | "rate">>,
  { first = 0.2, last, tokens = 1000, seconds = 10 }: {
    readonly first?: number;
    readonly last: number;
    readonly tokens?: number;
    readonly seconds?: number;
  },
): RunResult {
  return {
    format: 1,
    phase: "run",
    rate: 1e-3,
    ...place,
    steps: 10,
    tokens,
    seconds,
    evalSeconds: 1,
    split: {
      sample: 0.5 * seconds,
      diagnose: 0,
      stitch: 0,
      score: 0,
      mask: 0,
      amplify: 0,
      update: 0.4 * seconds,
      other: 0.1 * seconds,
    },
    curve: [
      { step: 0, tokens: 0, seconds: 0, success: first },
      { step: 10, tokens, seconds, success: last },
    ],
  };
}
