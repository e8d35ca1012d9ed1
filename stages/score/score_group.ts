import { ScoreError } from "../errors.ts";
import type { Attempt, DiagnosedAttempt, Member, Retry, Scored, Stitched } from "../record.ts";
import { reflectionMembers } from "./reflection_members.ts";
import { rewardByRule, type RewardOptions } from "./reward_by_rule.ts";
import { verifiedCorrections, type VerifyOptions } from "./verified_corrections.ts";

/** How attempts become rewards, and what is trained. */
export interface ScoreOptions extends RewardOptions, VerifyOptions {
  /**
   * `attempts`: base attempts and distilled retries, with verified corrections beside
   * them (R³L); `reflections`: the reflections on failed attempts alone, each with its
   * retry's reward (Reflect-Retry-Reward). Default `attempts`.
   */
  readonly members?: "attempts" | "reflections";
}

/**
 * Gives every base attempt and every distilled retry of a group a reward by one
 * and the same rule, and collects the verified corrections.
 *
 * A `null` reward (the environment failed) means "not applicable": the member
 * stays, is excluded from every statistic and is never trained. A base attempt
 * takes pivot and prefix from its earliest scored retry, so that `mask` cuts both.
 *
 * Throws {@link ScoreError} for a reward that is NaN or infinite, for tokens whose
 * ids, mask and log-probabilities differ in length, and for a retry of no attempt.
 */
export function scoreGroup(group: Stitched, options: ScoreOptions = {}): Scored {
  const task = group.task.id;
  const baseRewards = new Map(group.attempts.map((a) => [a.index, rewardByRule(a, task, a.index, options)]));
  const retryRewards = group.retries.map(({ base, distilled }) => {
    if (!baseRewards.has(base)) {
      throw new ScoreError({ task, attempt: base, reason: "a retry has no base attempt" });
    }
    return rewardByRule(distilled, task, base, options);
  });
  if (options.members === "reflections") {
    return { ...group, members: reflectionMembers(group, baseRewards, retryRewards), auxiliary: [] };
  }
  const scored = group.retries.filter((_, i) => retryRewards[i] !== null);
  const members = [
    ...group.attempts.map((a) => baseMember(a, scored, baseRewards.get(a.index) ?? null)),
    ...group.retries.map((r, i) => retryMember(r, retryRewards[i])),
  ];
  return { ...group, members, auxiliary: verifiedCorrections(group, baseRewards, retryRewards, options) };
}

function baseMember(base: DiagnosedAttempt, scored: readonly Retry[], reward: number | null): Member {
  const own = scored.filter((r) => r.base === base.index);
  return {
    ...tokensOf(base),
    kind: "base",
    attempt: base.index,
    pivot: own.length === 0 ? null : Math.min(...own.map((r) => r.pivot)),
    prefixLength: own.length === 0 ? 0 : Math.min(...own.map((r) => r.prefixLength)),
    won: base.won,
    reward,
  };
}

function retryMember(retry: Retry, reward: number | null): Member {
  return {
    ...tokensOf(retry.distilled),
    kind: "retry",
    attempt: retry.base,
    order: retry.order,
    pivot: retry.pivot,
    prefixLength: retry.prefixLength,
    won: retry.distilled.won,
    reward,
  };
}

function tokensOf({ ids, mask, logprobs }: Attempt) {
  return { ids, mask, logprobs };
}
