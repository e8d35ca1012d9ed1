import type { EstimatorOptions } from "./estimator.ts";
import { isFlat, mean } from "./_statistics.ts";

/**
 * A = R − b (OPMD, arXiv 2505.17826): b is the mean, or with
 * `baseline: "logavgexp"` the soft maximum τ·log(mean exp(R/τ)). A singleton has
 * b = 0.
 */
export function opmd(rewards: readonly number[], options: EstimatorOptions = {}): number[] {
  if (rewards.length === 1) return [...rewards];
  if (isFlat(rewards)) return rewards.map(() => 0);
  const baseline = options.baseline === "logavgexp" ? logAvgExp(rewards, options.tau ?? 1) : mean(rewards);
  return rewards.map((r) => r - baseline);
}

function logAvgExp(rewards: readonly number[], tau: number): number {
  const max = Math.max(...rewards);
  return max + tau * Math.log(mean(rewards.map((r) => Math.exp((r - max) / tau))));
}
