import { ScoreError } from "../errors.ts";
import type { Attempt, Member, Retry, Scored, Stitched } from "../record.ts";
import { verifiedCorrections, type VerifyOptions } from "./verified_corrections.ts";

/** How attempts become rewards. */
export interface ScoreOptions extends VerifyOptions {
  /** `success`: 1 if the episode was won, else 0; `return`: the sum of step rewards as it is. Default `success`. */
  readonly reward?: "success" | "return";
}

/**
 * Gives every base attempt and every distilled retry of a group a reward by one
 * and the same rule, and collects the verified corrections.
 *
 * A `null` reward (the environment failed) means "not applicable": the member
 * stays, is excluded from every statistic and is never trained. A base attempt
 * takes pivot and prefix from its earliest scored retry, so that `mask` cuts both.
 *
 * Throws {@link ScoreError} for a reward that is NaN or infinite and for tokens
 * whose ids, mask and log-probabilities differ in length.
 */
export function scoreGroup(group: Stitched, options: ScoreOptions = {}): Scored {
  const rule = options.reward ?? "success";
  const attempts = new Map<number, Attempt>();
  for (const attempt of group.attempts) attempts.set(attempt.index, attempt);
  const rewardOf = (attempt: Attempt, index: number) => rewardByRule(attempt, rule, group.task.id, index);

  const retries = group.retries.map((retry) => {
    if (!attempts.has(retry.base)) {
      throw new ScoreError({
        task: group.task.id,
        attempt: retry.base,
        reason: "a retry has no base attempt",
      });
    }
    return { retry, reward: rewardOf(retry.distilled, retry.base) };
  });

  const members: Member[] = group.attempts.map((attempt) => {
    const scored = retries.filter((r) => r.retry.base === attempt.index && r.reward !== null);
    const pivots = scored.map((r) => r.retry.pivot);
    const prefixes = scored.map((r) => r.retry.prefixLength);
    return {
      ...tokensOf(attempt),
      kind: "base",
      attempt: attempt.index,
      pivot: scored.length === 0 ? null : Math.min(...pivots),
      prefixLength: scored.length === 0 ? 0 : Math.min(...prefixes),
      won: attempt.won,
      reward: rewardOf(attempt, attempt.index),
    };
  });
  const rewardOfBase = new Map(members.map((m) => [m.attempt, m.reward]));
  for (const { retry, reward } of retries) members.push(retryMember(retry, reward));

  const auxiliary = verifiedCorrections(group, rewardOfBase, retries.map((r) => r.reward), options);
  return { ...group, members, auxiliary };
}

function retryMember(retry: Retry, reward: number | null): Member {
  return {
    ...tokensOf(retry.distilled),
    kind: "retry",
    attempt: retry.base,
    pivot: retry.pivot,
    prefixLength: retry.prefixLength,
    won: retry.distilled.won,
    reward,
  };
}

function tokensOf({ ids, mask, logprobs }: Attempt) {
  return { ids, mask, logprobs };
}

function rewardByRule(
  attempt: Attempt,
  rule: "success" | "return",
  task: string,
  index: number,
): number | null {
  const { ids, mask, logprobs, reward } = attempt;
  if (mask.length !== ids.length || logprobs.length !== ids.length) {
    const reason = `${ids.length} ids, ${mask.length} mask entries, ${logprobs.length} log-probabilities`;
    throw new ScoreError({ task, attempt: index, reason });
  }
  if (reward === null) return null;
  if (!Number.isFinite(reward)) {
    throw new ScoreError({ task, attempt: index, reason: `the reward is ${reward}` });
  }
  return rule === "success" ? Number(attempt.won) : reward;
}
