import { Effect } from "effect";
import { Policy } from "../../stages/policy/policy.ts";
import type { Sampled, TaskAt } from "../../stages/record.ts";
import { sampleGroups, type SampleOptions } from "../../stages/sample/sample_groups.ts";
import { seedPath } from "../../stages/seed.ts";
import { type SuccessReport, successReport } from "./success_report.ts";

/** How an evaluation samples; at most about `batch` attempts are played together. */
export type EvaluateOptions = Omit<SampleOptions, "attempts"> & {
  readonly batch: number;
  /** Attempts at each task. Default 1. */
  readonly attempts?: number;
};

/** What takes the groups as they are played, e.g. to write them down. */
export type Watch<E = never> = (groups: readonly Sampled[]) => Effect.Effect<void, E>;

/** Plays independent attempts at each task and counts successes. Caches are dropped after each batch. */
export const evaluateSuccess = Effect.fn("eval")(
  function* <E = never>(
    tasks: readonly TaskAt[],
    options: EvaluateOptions,
    watch: Watch<E> = () => Effect.void,
  ) {
    const policy = yield* Policy;
    const { attempts = 1 } = options;
    const together = Math.max(1, Math.floor(options.batch / attempts));
    const groups: Sampled[] = [];
    for (let i = 0; i < tasks.length; i += together) {
      const played = yield* sampleGroups(tasks.slice(i, i + together), {
        ...options,
        attempts,
        seed: seedPath("eval", options.seed, options.temperature),
      });
      yield* watch(played);
      groups.push(...played.map(forStatistics));
      yield* policy.release();
    }
    return successReport(groups, options.temperature) satisfies SuccessReport;
  },
);

/** Tokens and snapshots are not kept: an evaluation may be long. */
function forStatistics(group: Sampled): Sampled {
  return {
    ...group,
    attempts: group.attempts.map((attempt) => ({
      ...attempt,
      ids: [],
      mask: [],
      logprobs: [],
      snapshots: [],
    })),
  };
}
