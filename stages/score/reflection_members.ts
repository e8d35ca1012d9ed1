import type { Member, Stitched } from "../record.ts";

/**
 * The reflections on failed attempts (reward < 1) as the rows that are trained, each
 * with the mean reward of its retries (Reflect-Retry-Reward, arXiv 2505.24726: the
 * reward of the second answer goes to the reflection's tokens and to no others).
 *
 * A reflection that led to no retry (an invalid report, or a false claim of success)
 * gets 0: escaping the retry must not pay. One that was not asked for is no member;
 * one whose retries all failed for the environment's sake has reward null.
 */
export function reflectionMembers(
  group: Stitched,
  baseRewards: ReadonlyMap<number, number | null>,
  retryRewards: readonly (number | null)[],
): readonly Member[] {
  return group.attempts.flatMap((base): Member[] => {
    const before = baseRewards.get(base.index) ?? null;
    if (before === null || before >= 1 || base.diagnosis.invalid === "not_asked") return [];
    const retries = group.retries.flatMap((r, i) => r.base === base.index ? [i] : []);
    const rewards = retries.map((i) => retryRewards[i]).filter((r) => r !== null);
    const total = rewards.reduce((a, b) => a + b, 0);
    const { ids, mask, logprobs } = base.diagnosis.tokens;
    return [{
      ids,
      mask,
      logprobs,
      kind: "reflection",
      attempt: base.index,
      pivot: base.diagnosis.report?.retry_from_step ?? null,
      prefixLength: 0,
      won: retries.some((i) => group.retries[i].distilled.won),
      reward: retries.length === 0 ? 0 : rewards.length === 0 ? null : total / rewards.length,
    }];
  });
}
