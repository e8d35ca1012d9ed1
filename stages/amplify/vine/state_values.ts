import { Effect } from "effect";
import { Environment } from "../../../envs/env.ts";
import { Policy } from "../../policy/policy.ts";
import type { Attempt, TaskAt } from "../../record.ts";
import { finishAttempt, type LiveAttempt } from "../../sample/live_attempt.ts";
import { play, type PlayOptions } from "../../sample/play.ts";
import { resumedAttempt } from "../../sample/resumed_attempt.ts";
import { rewardByRule, type RewardOptions } from "../../score/reward_by_rule.ts";
import { seedPath } from "../../seed.ts";

/** How states are valued. */
export interface StateValueOptions extends PlayOptions {
  /** Rollouts from each state. */
  readonly rollouts: number;
  /** The rule that rewards attempts rewards rollouts too. */
  readonly reward?: RewardOptions;
}

/** A state, as the first attempt met it that did. */
interface State {
  readonly base: Attempt;
  readonly turn: number;
}

/**
 * Monte-Carlo values (VinePPO, arXiv 2410.01679, section 4): for every attempt and every
 * turn the mean reward of `rollouts` attempts that the behaviour policy plays to the end
 * from the state before that turn, the environment restored from its snapshot. The reward
 * counts the whole episode, the turns before the state included. A state that several
 * attempts share (same tokens, same snapshot) is valued once. Null where the environment
 * failed in every rollout.
 */
export const stateValues = Effect.fnUntraced(function* (
  { task }: TaskAt,
  attempts: readonly Attempt[],
  options: StateValueOptions,
) {
  const environment = yield* Environment;
  const policy = yield* Policy;
  const version = yield* policy.version;
  const keys = attempts.map((base) => base.turns.map((_, turn) => keyOf(base, turn)));
  const states = new Map<string, State>();
  attempts.forEach((base, i) =>
    keys[i].forEach((key, turn) => states.has(key) || states.set(key, { base, turn }))
  );
  const plans = [...states].flatMap(([key, state]) =>
    Array.from({ length: options.rollouts }, (_, order) => ({ key, order, ...state }))
  );
  const rewards = new Map<string, number[]>([...states.keys()].map((key) => [key, []]));
  yield* Effect.scoped(Effect.gen(function* () {
    // A state that cannot be restored has no rollouts.
    const opened = yield* Effect.forEach(plans, ({ base, turn, order }) => {
      const seed = seedPath(base.session, "vine", turn, order);
      return Effect.option(Effect.gen(function* () {
        const episode = yield* environment.open(task);
        yield* episode.reset;
        const current = yield* episode.restore(base.snapshots[turn]);
        return resumedAttempt(base, turn, { session: seed, seed, episode, version, current });
      }));
    }, { concurrency: options.concurrency }).pipe(Effect.withSpan("environment"));
    const lives = opened.map((one) => one._tag === "Some" ? one.value : undefined);
    const played = lives.filter((live): live is LiveAttempt => live !== undefined);
    yield* play(played, options);
    plans.forEach(({ key, base, turn }, p) => {
      const live = lives[p];
      const reward = live === undefined ? null : rewardOf(live, base, turn, task.id, options.reward);
      if (reward !== null) rewards.get(key)!.push(reward);
    });
    yield* policy.release(played.map(({ session }) => session));
  }));
  const value = (key: string): number | null => {
    const found = rewards.get(key)!;
    return found.length === 0 ? null : found.reduce((a, b) => a + b, 0) / found.length;
  };
  return keys.map((row) => row.map(value));
});

function keyOf({ ids, turns, snapshots }: Attempt, turn: number): string {
  return `${JSON.stringify(snapshots[turn])}/${ids.slice(0, turns[turn].context)}`;
}

/** The prefix is the attempt's own for the rule, though the rollout did not sample it. */
function rewardOf(live: LiveAttempt, base: Attempt, turn: number, task: string, rule?: RewardOptions) {
  const rollout = finishAttempt(live);
  const cut = base.turns[turn].context;
  const mask = [...base.mask.slice(0, cut), ...rollout.mask.slice(cut)];
  return rewardByRule({ ...rollout, mask }, task, base.index, rule);
}
