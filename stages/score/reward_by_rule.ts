import { ScoreError } from "../errors.ts";
import type { Attempt } from "../record.ts";
import { type OverlongOptions, overlongPenalty } from "./overlong_penalty.ts";

/** The one rule that turns an attempt, base or retry, into a reward. */
export interface RewardOptions {
  /** `success`: 1 if the episode was won, else 0; `return`: the sum of step rewards as it is. Default `success`. */
  readonly reward?: "success" | "return";
  /** Adds DAPO's penalty on the number of sampled tokens. Default off. */
  readonly overlong?: OverlongOptions;
}

/**
 * The reward of one attempt of task `task`; null if the environment failed. Throws
 * {@link ScoreError} for a reward that is NaN or infinite and for tokens whose ids,
 * mask and log-probabilities differ in length.
 */
export function rewardByRule(
  attempt: Attempt,
  task: string,
  index: number,
  options: RewardOptions = {},
): number | null {
  const { ids, mask, logprobs, reward, won } = attempt;
  if (mask.length !== ids.length || logprobs.length !== ids.length) {
    const reason = `${ids.length} ids, ${mask.length} mask entries, ${logprobs.length} log-probabilities`;
    throw new ScoreError({ task, attempt: index, reason });
  }
  if (reward === null) return null;
  if (!Number.isFinite(reward)) {
    throw new ScoreError({ task, attempt: index, reason: `the reward is ${reward}` });
  }
  const value = (options.reward ?? "success") === "success" ? Number(won) : reward;
  if (options.overlong === undefined) return value;
  const sampled = mask.reduce((n: number, m) => n + m, 0);
  return value + overlongPenalty(sampled, options.overlong);
}
