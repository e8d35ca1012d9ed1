import { Effect } from "effect";
import { Environment, type Episode } from "../../envs/env.ts";
import { Policy } from "../policy/policy.ts";
import type { Attempt, Sampled, TaskAt } from "../record.ts";
import { seedPath } from "../seed.ts";
import { finishAttempt, type LiveAttempt } from "./live_attempt.ts";
import { play, type PlayOptions } from "./play.ts";

/** How `sample` draws attempts. */
export interface SampleOptions extends PlayOptions {
  /** Attempts per task. */
  readonly attempts: number;
  /** Seed of the run. */
  readonly seed: string | number;
}

/** Plays `attempts` attempts at each task, all tasks together. */
export const sampleGroups = Effect.fn("sample")(function* (tasks: readonly TaskAt[], options: SampleOptions) {
  const environment = yield* Environment;
  const policy = yield* Policy;
  const version = yield* policy.version;
  const places = tasks.flatMap((at) =>
    Array.from({ length: options.attempts }, (_, index) => ({ at, index }))
  );
  return yield* Effect.scoped(Effect.gen(function* () {
    const opened = yield* Effect.forEach(places, ({ at, index }) =>
      Effect.gen(function* () {
        const episode = yield* environment.open(at.task);
        const first = yield* episode.reset;
        return begin(episode, index, seedPath(options.seed, at.cursor, index), version, first);
      }).pipe(Effect.catch((error) => Effect.succeed(stillborn(at, index, version, error.message)))), {
      concurrency: options.concurrency,
    }).pipe(Effect.withSpan("environment"));
    yield* play(opened.filter((one): one is LiveAttempt => "episode" in one), options);
    const attempts = opened.map((one) => ("episode" in one ? finishAttempt(one) : one));
    return tasks.map((at, g): Sampled => ({
      ...at,
      attempts: attempts.slice(g * options.attempts, (g + 1) * options.attempts),
    }));
  }));
});

function begin(
  episode: Episode,
  index: number,
  seed: string,
  version: number,
  first: LiveAttempt["current"],
): LiveAttempt {
  return {
    index,
    session: seed,
    seed,
    episode,
    version,
    firstObservation: first.observation,
    ids: [],
    mask: [],
    logprobs: [],
    turns: [],
    snapshots: [],
    current: first,
    truncated: false,
    feedback: "",
  };
}

/** An attempt whose environment could not even be opened: no tokens, no verdict. */
function stillborn({ cursor }: TaskAt, index: number, version: number, failure: string): Attempt {
  return {
    index,
    ids: [],
    mask: [],
    logprobs: [],
    turns: [],
    snapshots: [],
    reward: null,
    won: false,
    truncated: false,
    feedback: "",
    firstObservation: "",
    failure,
    version,
    session: seedPath(cursor, index),
  };
}
