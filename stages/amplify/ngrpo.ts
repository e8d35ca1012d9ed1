import type { EstimatorOptions } from "./estimator.ts";
import { isFlat, mean, standardDeviation } from "./_statistics.ts";

/**
 * A = (R − mean) / (std + eps) with the statistics of the group and one virtual
 * member of the best reward (NGRPO, arXiv 2509.18851): an all-wrong group gets a
 * negative signal, an all-correct one none. A singleton keeps R.
 */
export function ngrpo(rewards: readonly number[], options: EstimatorOptions = {}): number[] {
  const { ddof = 1, eps = 1e-6, maxReward = 1 } = options;
  if (rewards.length === 1) return [...rewards];
  const extended = [...rewards, maxReward];
  if (isFlat(extended)) return rewards.map(() => 0);
  const baseline = mean(extended);
  const std = standardDeviation(extended, ddof);
  return rewards.map((r) => (r - baseline) / (std + eps));
}
