import { Effect } from "effect";
import { Environment } from "../../envs/env.ts";
import { Policy } from "../../stages/policy/policy.ts";
import type { Attempt, Sampled, TaskAt } from "../../stages/record.ts";
import { sampleGroups, type SampleOptions } from "../../stages/sample/sample_groups.ts";
import { seedPath, uniformAt } from "../../stages/seed.ts";

/** When a task is settled, and how its attempts are sampled. */
export interface FailureOptions extends Omit<SampleOptions, "attempts" | "firstAttempt"> {
  readonly keep: "all_fail" | "any_fail";
  readonly cap: number;
  readonly chunk: number;
  /** Attempts that are played together, at most about. */
  readonly batch: number;
}

/** A task that is settled. */
export interface Settled {
  readonly index: number;
  readonly task: TaskAt["task"];
  readonly sampled: number;
  readonly successes: number;
  /** The failure that is kept, if the task is. */
  readonly failure: Attempt | null;
}

interface Open {
  readonly at: TaskAt;
  sampled: number;
  successes: number;
  readonly failures: Attempt[];
}

/**
 * Samples attempts at the training tasks `from` to `to - 1`, chunk by chunk, and tells
 * each task's outcome to `settle` in the order of the tasks; `settle` returns false
 * when it is enough. `all_fail` drops a task at its first success, `any_fail` keeps
 * the first failure. Attempts are numbered and seeded by task and number alone, so
 * neither batch nor concurrency changes anything.
 */
export const sampleFailures = Effect.fn("failures")(function* <E>(
  from: number,
  to: number,
  options: FailureOptions,
  settle: (outcome: Settled) => Effect.Effect<boolean, E>,
) {
  const environment = yield* Environment;
  const policy = yield* Policy;
  const together = Math.max(1, Math.floor(options.batch / options.chunk));
  const waiting = new Map<number, Settled>();
  let open: Open[] = [];
  let next = from;
  let told = from;
  for (let goesOn = true; goesOn && told < to;) {
    for (; open.length < together && next < to; next++) {
      const at = { cursor: next, task: yield* environment.task("train", next) };
      open.push({ at, sampled: 0, successes: 0, failures: [] });
    }
    const byCursor = new Map(open.map((one) => [one.at.cursor, one]));
    const groups = yield* sampleRound(open, byCursor, options);
    groups.forEach((group) => take(byCursor.get(group.cursor)!, group));
    yield* policy.release();
    for (const one of open) {
      const outcome = settled(one, options);
      if (outcome !== null) waiting.set(one.at.cursor, outcome);
    }
    open = open.filter(({ at }) => !waiting.has(at.cursor));
    for (let outcome = waiting.get(told); goesOn && outcome !== undefined; outcome = waiting.get(told)) {
      goesOn = yield* settle(outcome);
      waiting.delete(told++);
    }
  }
});

/** One chunk for every open task; the last chunk of a task may be shorter, and is sampled by itself. */
const sampleRound = Effect.fnUntraced(function* (
  open: readonly Open[],
  byCursor: ReadonlyMap<number, Open>,
  { chunk, cap, ...options }: FailureOptions,
) {
  const groups: Sampled[] = [];
  for (const [size, some] of Map.groupBy(open, ({ sampled }) => Math.min(chunk, cap - sampled))) {
    groups.push(
      ...yield* sampleGroups(some.map(({ at }) => at), {
        ...options,
        seed: seedPath("failures", options.seed),
        attempts: size,
        firstAttempt: ({ cursor }) => byCursor.get(cursor)!.sampled,
      }),
    );
  }
  return groups;
});

/** Takes note of a chunk; attempts without a verdict are neither successes nor failures. */
function take(one: Open, { attempts }: Sampled): void {
  one.sampled += attempts.length;
  one.successes += attempts.filter(({ won }) => won).length;
  const failed = attempts.filter(({ won, failure, turns }) =>
    !won && failure === undefined && turns.length > 0
  );
  one.failures.push(...failed.map((attempt) => ({ ...attempt, snapshots: [] })));
}

function settled(one: Open, { keep, cap, seed }: FailureOptions): Settled | null {
  const { at: { cursor: index, task }, sampled, successes, failures } = one;
  const outcome = (failure: Attempt | null) => ({ index, task, sampled, successes, failure });
  const isFull = sampled >= cap;
  if (keep === "any_fail") return failures.length > 0 ? outcome(failures[0]) : isFull ? outcome(null) : null;
  if (successes > 0) return outcome(null);
  if (!isFull) return null;
  const pick = Math.floor(uniformAt(seedPath("failures", seed, index, "choose"), 0) * failures.length);
  return outcome(failures[pick] ?? null);
}
