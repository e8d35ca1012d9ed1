import { Effect } from "effect";
import { Environment } from "../../envs/env.ts";
import type { RunConfig } from "../../stages/config/run_config.ts";
import { Policy } from "../../stages/policy/policy.ts";
import type { Attempt, Sampled, TaskAt } from "../../stages/record.ts";
import { sampleGroups } from "../../stages/sample/sample_groups.ts";
import { attemptText, repliesOf } from "./attempt_text.ts";
import type { NegativeRow } from "./check_negative.ts";
import { fitPrompt } from "./fit_prompt.ts";

/** A task, with its position in split train. */
export interface IndexedTask extends TaskAt {
  readonly index: number;
}

/** What came of some tasks. */
export interface Gathered {
  readonly rows: readonly (NegativeRow & NegativeOrigin)[];
  readonly attempts: number;
  readonly failures: number;
  /** Failures that stopped by themselves with something that could be judged. */
  readonly usable: number;
  /** Usable ones that were left out because a prompt would be too long. */
  readonly tooLong: number;
}

/** Where a negative is from. */
export interface NegativeOrigin {
  /** Folder of the model that was sampled, or file of the recorded attempts. */
  readonly source: string;
  /** Which of the task's attempts it is, of how many, and how many of them won. */
  readonly attempt_index: number;
  readonly samples: number;
  readonly wins: number;
  /** The environment's verdict in one line. */
  readonly feedback: string;
}

/**
 * Plays `negatives.samples` attempts at each task and keeps the first failures. What
 * comes out of a batch of tasks depends on configuration and tasks alone.
 */
export const gatherNegatives = Effect.fnUntraced(function* (
  tasks: readonly IndexedTask[],
  config: RunConfig,
) {
  const { negatives, rollout, trainer } = config;
  const groups = yield* sampleGroups(tasks, {
    temperature: rollout.temperature,
    maxTokens: rollout.max_tokens,
    concurrency: rollout.concurrency,
    attempts: negatives.samples,
    seed: `negatives/${trainer.seed}`,
  });
  yield* (yield* Policy).release();
  const parts = yield* Effect.forEach(groups, (group, i) => gathered(group, tasks[i].index, config));
  return together(parts);
});

/** What came of all of them. */
export function together(parts: readonly Gathered[]): Gathered {
  const total = (name: "attempts" | "failures" | "usable" | "tooLong") =>
    parts.reduce((sum, part) => sum + part[name], 0);
  return {
    rows: parts.flatMap(({ rows }) => rows),
    attempts: total("attempts"),
    failures: total("failures"),
    usable: total("usable"),
    tooLong: total("tooLong"),
  };
}

const gathered = Effect.fnUntraced(function* ({ task, attempts }: Sampled, index: number, config: RunConfig) {
  const { chat } = yield* Policy;
  const environment = yield* Environment;
  const { keep, samples } = config.negatives;
  const failures = attempts.filter((attempt) => attempt.failure === undefined && !attempt.won);
  const usable = failures.filter(isUsable);
  const rows: Gathered["rows"][number][] = [];
  const seen = new Set<string>();
  let tooLong = 0;
  const first = usable.length === 0 ? undefined : yield* Effect.scoped(
    Effect.flatMap(environment.open(task), (episode) => episode.reset),
  );
  for (const attempt of usable) {
    if (rows.length === keep || first === undefined) break;
    const replies = repliesOf(attempt, chat);
    const shown = yield* fitPrompt(attemptText(attempt, replies), task, first, config);
    if (shown === undefined) tooLong++;
    if (shown === undefined || seen.has(shown)) continue;
    seen.add(shown);
    rows.push({
      id: `${task.id}#${attempt.index}`,
      ...{ task: task.id, index, replies, attempt: shown },
      ...{
        source: config.policy.path,
        attempt_index: attempt.index,
        samples,
        wins: attempts.filter(({ won }) => won).length,
      },
      feedback: attempt.feedback,
    });
  }
  return { rows, attempts: attempts.length, failures: failures.length, usable: usable.length, tooLong };
});

/** Every reply ended by itself, and the last could be judged: a text cut short shows no error. */
function isUsable({ turns, verdict }: Attempt): boolean {
  const isJudged = verdict === undefined || verdict.outcome === "wrong";
  return isJudged && turns.length > 0 && turns.every(({ stopReason }) => stopReason === "stop");
}
