import type { EstimatorOptions } from "../../stages/amplify/estimator.ts";
import type { AlgorithmConfig } from "../../stages/config/algorithm_config.ts";
import type { RunConfig } from "../../stages/config/run_config.ts";
import type { RewardOptions } from "../../stages/score/reward_by_rule.ts";
import type { LossOptions } from "../../stages/update/loss.ts";

/** `algorithm.estimator_options` by the names that estimators read. */
export function estimatorOptions({ estimator_options: given }: AlgorithmConfig): EstimatorOptions {
  const { max_reward: maxReward, ...rest } = given;
  return { ...rest, maxReward };
}

/** `algorithm.loss_options` by the names that losses read; null leaves the loss its own. */
export function lossOptions({ loss_options: given }: AlgorithmConfig): LossOptions {
  const named = {
    clipLow: given.clip_low,
    clipHigh: given.clip_high,
    dualClip: given.dual_clip,
    tau: given.tau,
    gamma: given.gamma,
    beta: given.beta,
    smoothing: given.smoothing,
    search: given.search,
    target: given.target,
    maskBeyondClip: given.mask_beyond_clip,
    threshold: given.threshold,
    range: given.range,
    outerLow: given.outer_low,
    outerHigh: given.outer_high,
    weight: given.weight,
    temperature: given.temperature,
    regulariser: given.regulariser,
    regulariserCoefficient: given.regulariser_coef,
  };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== null));
}

/** DAPO's penalty on long attempts, if `algorithm.overlong.limit` is set. */
export function overlongOf({ algorithm }: RunConfig): RewardOptions {
  const { limit, cache, factor } = algorithm.overlong;
  if (limit === null) return {};
  return { overlong: { limit, cache: cache ?? Math.max(1, Math.round(limit / 5)), factor } };
}
