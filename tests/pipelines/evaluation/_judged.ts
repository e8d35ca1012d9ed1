/**
 * Attempts as an evaluation sees them, for tests of what is summed up from them.
 *
 * @module
 */
import type { EpisodeVerdict } from "../../../envs/env.ts";
import type { Attempt, AttemptTurn, Sampled } from "../../../stages/record.ts";

/** An attempt of `turns` turns; `verdict` and others as given. */
export function attemptOf(won: boolean, change: Partial<Attempt> = {}, turns = 1): Attempt {
  const turn: AttemptTurn = {
    context: 0,
    start: 0,
    end: 0,
    action: "",
    observation: "",
    reward: 0,
    stopReason: "stop",
  };
  return {
    index: 0,
    ids: [],
    mask: [],
    logprobs: [],
    turns: Array.from({ length: turns }, () => turn),
    snapshots: [],
    reward: Number(won),
    won,
    truncated: false,
    feedback: "",
    firstObservation: "",
    version: 0,
    session: "",
    ...change,
  };
}

/** A verdict in short: `ok`, or a category of a wrong (`w…`), missing (`m…`) or unchecked (`u…`) answer. */
export function verdictOf(category: string, answer: string | null = null): EpisodeVerdict {
  const outcomes = { w: "wrong", m: "unparseable", u: "unchecked" } as const;
  const outcome = category === "ok" ? "right" : outcomes[category[0] as keyof typeof outcomes];
  return { outcome, category, answer };
}

/** A group with these attempts. */
export function groupOf(id: string, kind: string, attempts: readonly Attempt[]): Sampled {
  return { cursor: 0, task: { id, kind, payload: null }, attempts };
}
