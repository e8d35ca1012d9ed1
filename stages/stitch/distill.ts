import type { Attempt, AttemptTurn } from "../record.ts";

/**
 * The distilled view of a guided retry: the base's prefix ids, the pivot's user
 * message without guidance (`plain`), and the suffix exactly as it was generated.
 * Prefix tokens keep the base's masks and log-probabilities; the suffix keeps the
 * log-probabilities under which it was sampled, that is with guidance.
 */
export function distill(base: Attempt, guided: Attempt, pivot: number, plain: readonly number[]): Attempt {
  const turn = guided.turns[pivot];
  if (turn === undefined) {
    throw new RangeError(`Cannot distill: no turn ${pivot} in ${guided.turns.length} turns`);
  }
  const cut = turn.context;
  const shift = cut + plain.length - turn.start;
  const join = <T>(from: readonly T[], middle: readonly T[], to: readonly T[]) => [
    ...from.slice(0, cut),
    ...middle,
    ...to.slice(turn.start),
  ];
  return {
    ...guided,
    ids: join(base.ids, plain, guided.ids),
    mask: join(base.mask, plain.map(() => 0 as const), guided.mask),
    logprobs: join(base.logprobs, plain.map(() => 0), guided.logprobs),
    turns: guided.turns.map((t, k): AttemptTurn => {
      if (k < pivot) return t;
      return {
        ...t,
        context: k === pivot ? t.context : t.context + shift,
        start: t.start + shift,
        end: t.end + shift,
      };
    }),
  };
}
