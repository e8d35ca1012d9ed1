import type { Episode, EpisodeVerdict, Snapshot, Turn } from "../../envs/env.ts";
import type { Attempt, AttemptTurn } from "../record.ts";

/** An attempt that is still being played: the lists only ever grow. */
export interface LiveAttempt {
  readonly index: number;
  readonly session: string;
  /** Session whose cached prefix this one starts from. */
  readonly parent?: string;
  /** Coordinates of its random numbers; the turn is added. */
  readonly seed: string;
  readonly episode: Episode;
  readonly version: number;
  readonly firstObservation: string;
  /** Ids that stand in for the direct opening; absent for an ordinary rollout. */
  readonly opening?: () => readonly number[];
  /** Whether `opening` shows a failed attempt, where that is asked. */
  readonly reflective?: boolean;
  /** Guidance for one turn, or none. */
  readonly guidance?: { readonly turn: number; readonly text: string };
  readonly ids: number[];
  readonly mask: (0 | 1)[];
  readonly logprobs: number[];
  readonly turns: AttemptTurn[];
  readonly snapshots: Snapshot[];
  /** The environment's turn that awaits a reply. */
  current: Turn;
  truncated: boolean;
  feedback: string;
  verdict?: EpisodeVerdict;
  failure?: string;
}

/** Appends ids of one origin: sampled by the policy (with log-probabilities) or not. */
export function appendIds(live: LiveAttempt, ids: readonly number[], logprobs?: readonly number[]): void {
  if (logprobs !== undefined && logprobs.length !== ids.length) {
    throw new RangeError(`Cannot append ${ids.length} ids with ${logprobs.length} log-probabilities`);
  }
  for (let i = 0; i < ids.length; i++) {
    live.ids.push(ids[i]);
    live.mask.push(logprobs === undefined ? 0 : 1);
    live.logprobs.push(logprobs?.[i] ?? 0);
  }
}

/** Whether nothing more will be played. */
export function isOver(live: LiveAttempt): boolean {
  return live.current.done || live.truncated || live.failure !== undefined;
}

/** The finished record; its reward is the sum of its step rewards, or null if the environment failed. */
export function finishAttempt(live: LiveAttempt): Attempt {
  const failed = live.failure !== undefined;
  return {
    index: live.index,
    ids: live.ids,
    mask: live.mask,
    logprobs: live.logprobs,
    turns: live.turns,
    snapshots: live.snapshots,
    reward: failed ? null : live.turns.reduce((sum, turn) => sum + (turn.reward ?? 0), 0),
    won: live.current.won && !failed,
    truncated: live.truncated || live.current.truncated,
    feedback: live.feedback,
    ...(live.verdict === undefined ? {} : { verdict: live.verdict }),
    firstObservation: live.firstObservation,
    ...(live.failure === undefined ? {} : { failure: live.failure }),
    ...(live.reflective === undefined ? {} : { reflective: live.reflective }),
    version: live.version,
    session: live.session,
  };
}
