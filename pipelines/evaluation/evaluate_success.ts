import { Effect } from "effect";
import { Policy } from "../../stages/policy/policy.ts";
import type { Attempt, TaskAt } from "../../stages/record.ts";
import { sampleGroups, type SampleOptions } from "../../stages/sample/sample_groups.ts";
import { seedPath } from "../../stages/seed.ts";
import { wilsonInterval } from "./wilson_interval.ts";

/** Single-attempt success on a list of tasks. */
export interface SuccessReport {
  readonly temperature: number;
  readonly tasks: number;
  readonly success: number;
  /** 95 % Wilson interval of `success`. */
  readonly interval: readonly [number, number];
  readonly meanTurns: number;
  /** Share of attempts whose environment failed; they count as no success. */
  readonly failed: number;
  /** Kind of task → [successes, tasks]. */
  readonly byKind: Readonly<Record<string, readonly [number, number]>>;
}

/** How an evaluation samples; `batch` tasks are played together. */
export type EvaluateOptions = Omit<SampleOptions, "attempts"> & { readonly batch: number };

/** Plays one attempt at each task and counts successes. Caches are dropped after each batch. */
export const evaluateSuccess = Effect.fn("eval")(
  function* (tasks: readonly TaskAt[], options: EvaluateOptions) {
    const policy = yield* Policy;
    const attempts: Attempt[] = [];
    for (let i = 0; i < tasks.length; i += options.batch) {
      const groups = yield* sampleGroups(tasks.slice(i, i + options.batch), {
        ...options,
        attempts: 1,
        seed: seedPath("eval", options.seed, options.temperature),
      });
      attempts.push(...groups.map((group) => group.attempts[0]));
      yield* policy.release();
    }
    const byKind: Record<string, [number, number]> = {};
    tasks.forEach(({ task }, i) => {
      const count = (byKind[task.kind] ??= [0, 0]);
      count[0] += attempts[i].won ? 1 : 0;
      count[1]++;
    });
    const won = attempts.filter((attempt) => attempt.won).length;
    const share = (n: number) => (attempts.length === 0 ? 0 : n / attempts.length);
    return {
      temperature: options.temperature,
      tasks: attempts.length,
      success: share(won),
      interval: wilsonInterval(won, attempts.length),
      meanTurns: share(attempts.reduce((sum, attempt) => sum + attempt.turns.length, 0)),
      failed: share(attempts.filter((attempt) => attempt.failure !== undefined).length),
      byKind: Object.fromEntries(Object.entries(byKind).sort(([a], [b]) => (a < b ? -1 : 1))),
    } satisfies SuccessReport;
  },
);
