import { Effect } from "effect";
import { Environment, type Episode, type Turn } from "../../envs/env.ts";
import { Policy } from "../policy/policy.ts";
import type { Attempt, Sampled, TaskAt } from "../record.ts";
import { seedPath } from "../seed.ts";
import { finishAttempt, type LiveAttempt } from "./live_attempt.ts";
import { ifSayable } from "./if_sayable.ts";
import { reflectiveRollouts } from "./kernels.ts";
import { play, type PlayOptions } from "./play.ts";
import { type Reflective, reflectiveOpening } from "./reflective.ts";

/** How `sample` draws attempts. */
export interface SampleOptions extends PlayOptions {
  /** Attempts per task. */
  readonly attempts: number;
  /** Seed of the run. */
  readonly seed: string | number;
  /**
   * The first round(attempts·g) attempts at a task are opened with a failed one, the
   * others directly; tasks without one have direct attempts only (ReflectRL,
   * arXiv 2608.03972). t is the version of the behaviour policy, so g is constant
   * between two synchronisations.
   */
  readonly reflective?: Reflective;
  /** Gives the first round(tasks·g) tasks such an opening for a teacher (`privileged`); all attempts stay direct. */
  readonly privileged?: Reflective;
  /** Number of a task's first attempt, so that later ones can be drawn later. Default 0. */
  readonly firstAttempt?: (at: TaskAt) => number;
}

/** Plays `attempts` attempts at each task, all tasks together. */
export const sampleGroups = Effect.fn("sample")(function* (tasks: readonly TaskAt[], options: SampleOptions) {
  const environment = yield* Environment;
  const policy = yield* Policy;
  const version = yield* policy.version;
  const { reflective, privileged } = options;
  const rollouts = reflective === undefined
    ? 0
    : reflectiveRollouts(options.attempts, reflective.share(version));
  const taught = privileged === undefined ? 0 : reflectiveRollouts(tasks.length, privileged.share(version));
  const openingOf = (from: Reflective | undefined, { task, cursor }: TaskAt, first: Turn) => {
    if (from === undefined) return undefined;
    const seed = seedPath(options.seed, cursor);
    return reflectiveOpening(from, { task, first, seed, chat: policy.chat, format: environment.format });
  };
  const places = tasks.flatMap((at) =>
    Array.from(
      { length: options.attempts },
      (_, i) => ({ at, index: (options.firstAttempt?.(at) ?? 0) + i }),
    )
  );
  const firsts = new Map<TaskAt, Turn>();
  return yield* Effect.scoped(Effect.gen(function* () {
    const opened = yield* Effect.forEach(places, ({ at, index }) =>
      Effect.gen(function* () {
        const episode = yield* environment.open(at.task);
        const first = yield* episode.reset;
        firsts.set(at, first);
        const opening = index < rollouts ? openingOf(reflective, at, first) : undefined;
        return {
          ...begin(episode, index, seedPath(options.seed, at.cursor, index), version, first),
          ...(opening === undefined ? {} : { opening }),
          ...(reflective === undefined ? {} : { reflective: opening !== undefined }),
        };
      }).pipe(Effect.catch((error) => Effect.succeed(stillborn(at, index, version, error.message)))), {
      concurrency: options.concurrency,
    }).pipe(Effect.withSpan("environment"));
    yield* play(opened.filter((one): one is LiveAttempt => "episode" in one), options);
    const attempts = opened.map((one) => ("episode" in one ? finishAttempt(one) : one));
    return tasks.map((at, g): Sampled => {
      const first = firsts.get(at);
      const opening = g < taught && first !== undefined ? openingOf(privileged, at, first) : undefined;
      const teacher = opening === undefined ? undefined : ifSayable(opening);
      return {
        ...at,
        attempts: attempts.slice(g * options.attempts, (g + 1) * options.attempts),
        ...(teacher === undefined ? {} : { privileged: teacher }),
      };
    });
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
