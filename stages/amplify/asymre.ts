import type { EstimatorOptions } from "./estimator.ts";
import { mean } from "./_statistics.ts";

/**
 * A = R − (mean + shift) (AsymRE, arXiv 2506.20520): a negative shift weighs
 * successes above failures, and reinforces flat groups too. A singleton keeps R.
 */
export function asymre(rewards: readonly number[], options: EstimatorOptions = {}): number[] {
  if (rewards.length === 1) return [...rewards];
  const baseline = mean(rewards) + (options.shift ?? -0.1);
  return rewards.map((r) => r - baseline);
}
