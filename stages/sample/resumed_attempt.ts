import type { Attempt } from "../record.ts";
import type { LiveAttempt } from "./live_attempt.ts";

/** What is new about a resumed attempt. */
export type ResumeOptions =
  & Pick<LiveAttempt, "session" | "seed" | "episode" | "version" | "current">
  & Pick<Partial<LiveAttempt>, "opening">
  & { readonly guidance?: string };

/**
 * An attempt that shares the ids of `base` up to turn `turn`; `episode` stands where
 * `base` was before that turn and said `current`. The prefix was sampled by `base`, not
 * by this one, so its mask is 0. Its cache starts from that of `base`.
 */
export function resumedAttempt(
  base: Attempt,
  turn: number,
  { guidance, ...fresh }: ResumeOptions,
): LiveAttempt {
  const cut = base.turns[turn].context;
  return {
    ...fresh,
    index: base.index,
    parent: base.session,
    firstObservation: base.firstObservation,
    ...(guidance === undefined ? {} : { guidance: { turn, text: guidance } }),
    ids: base.ids.slice(0, cut),
    mask: Array<0>(cut).fill(0),
    logprobs: Array<number>(cut).fill(0),
    turns: base.turns.slice(0, turn),
    snapshots: base.snapshots.slice(0, turn),
    truncated: false,
    feedback: "",
  };
}
