import { NOT_ASKED } from "../../stages/diagnose/not_asked.ts";
import type { Amplified, Attempt, Member, Sampled, Stitched } from "../../stages/record.ts";

/** A group that was only played, in the form of trained ones: no advantages, no trained token. */
export function playedGroup(group: Sampled | Stitched): Amplified {
  const { retries } = { retries: [], ...group };
  const attempts = group.attempts.map((attempt) => ({ diagnosis: NOT_ASKED, ...attempt }));
  const members = [
    ...attempts.map((attempt): Member => ({
      ...rowOf(attempt),
      kind: "base",
      attempt: attempt.index,
      pivot: null,
      prefixLength: 0,
    })),
    ...retries.map(({ base, order, pivot, prefixLength, distilled }): Member => ({
      ...rowOf(distilled),
      kind: "retry",
      attempt: base,
      order,
      pivot,
      prefixLength,
    })),
  ];
  return {
    ...group,
    attempts,
    retries,
    members,
    auxiliary: [],
    trainMasks: members.map(({ mask }) => mask.map(() => 0)),
    advantages: members.map(() => 0),
    flat: false,
  };
}

function rowOf({ ids, mask, logprobs, reward, won }: Attempt) {
  return { ids, mask, logprobs, reward, won };
}
