import { Effect } from "effect";
import { Environment, type Split } from "../../envs/env.ts";
import type { RunConfig } from "../../stages/config/run_config.ts";
import type { ConfigError, EnvError, FileError, PolicyError } from "../../stages/errors.ts";
import { Policy } from "../../stages/policy/policy.ts";
import type { Attempt } from "../../stages/record.ts";
import type { Progress } from "../terminal/progress.ts";
import { type FailureCounts, openFailureFile, type SettledLine } from "./failure_file.ts";
import type { FailureRow } from "./failure_row.ts";
import { promptHash } from "./prompt_hash.ts";
import { sampleFailures, type Settled } from "./sample_failures.ts";

/** What can end the making of a failure set. */
export type FailuresError = ConfigError | EnvError | FileError | PolicyError;

/**
 * Makes the failure set of Reflect, Retry, Reward (arXiv 2505.24726) at `failures.out`:
 * first attempts of `policy.path` that failed, one a training task. Killed, it
 * continues; finished, it only says what is there. Questions of a validation or test
 * split that was read from files are left out.
 */
export function buildFailures(
  config: RunConfig,
  progress: Progress,
): Effect.Effect<FailureCounts, FailuresError, Policy | Environment> {
  const { failures, policy, rollout, trainer, task, data } = config;
  const sampling = { temperature: rollout.temperature, max_tokens: rollout.max_tokens, seed: trainer.seed };
  const { out, ...rules } = failures;
  return Effect.scoped(Effect.gen(function* () {
    const { chat } = yield* Policy;
    const environment = yield* Environment;
    const file = yield* openFailureFile(out, { ...rules, ...sampling, model: policy.path, task, data });
    if (file.finished !== null) return file.finished;
    const foreign = yield* otherQuestions();
    const lines: SettledLine[] = [...file.done];
    const isEnough = () =>
      failures.wanted !== null && lines.filter(({ row }) => row !== null).length >= failures.wanted;
    const settle = (outcome: Settled) =>
      Effect.gen(function* () {
        const { index, sampled, successes, failure } = outcome;
        const contaminated = failure !== null && foreign.has(normalised(failure.firstObservation));
        const row = failure === null || contaminated ? null : rowOf(outcome, failure);
        lines.push({ index, sampled, successes, contaminated, row });
        yield* file.append(lines[lines.length - 1]);
        progress.activity(`${lines.length} tasks tried, ${lines.filter((l) => l.row !== null).length} kept`);
        return !isEnough();
      });
    const rowOf = ({ index, task, sampled, successes }: Settled, attempt: Attempt): FailureRow => ({
      index,
      id: task.id,
      kind: task.kind,
      query: attempt.firstObservation,
      prompt_hash: promptHash(attempt),
      replies: attempt.turns.map(({ start, end, stopReason: stop }) => {
        const ids = attempt.ids.slice(start, end);
        return { ids, text: chat.decode(ids, true), stop };
      }),
      feedback: attempt.feedback,
      verdict: attempt.verdict === undefined
        ? null
        : { category: attempt.verdict.category, answer: attempt.verdict.answer },
      attempt: attempt.index,
      n_sampled: sampled,
      n_success: successes,
      keep: failures.keep,
      model: policy.path,
      sampling,
    });
    const options = {
      ...failures,
      temperature: rollout.temperature,
      maxTokens: rollout.max_tokens,
      concurrency: rollout.concurrency,
      seed: trainer.seed,
      batch: 2 * rollout.decode_batch,
    };
    const to = Math.min(failures.tasks, environment.size("train"));
    if (!isEnough()) yield* sampleFailures(lines.length, to, options, settle);
    return yield* file.finish(lines);
  }));
}

/** The questions of the other splits, if they are finite: no training data may be among them. */
const otherQuestions = Effect.fnUntraced(function* () {
  const environment = yield* Environment;
  const found = new Set<string>();
  for (const split of ["valid", "test"] satisfies Split[]) {
    const size = environment.size(split);
    for (let index = 0; Number.isFinite(size) && index < size; index++) {
      const task = yield* environment.task(split, index);
      const turn = yield* Effect.scoped(Effect.flatMap(environment.open(task), ({ reset }) => reset));
      found.add(normalised(turn.observation));
    }
  }
  return found;
});

/** The same question whatever its spaces and case. */
function normalised(question: string): string {
  return question.toLowerCase().replace(/\s+/g, " ").trim();
}
