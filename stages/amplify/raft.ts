import type { EstimatorOptions } from "./estimator.ts";

/** A = 1 for a reward of at least `threshold`, else 0: rejection sampling as supervised learning (RAFT, arXiv 2304.06767). */
export function raft(rewards: readonly number[], options: EstimatorOptions = {}): number[] {
  const threshold = options.threshold ?? 1;
  return rewards.map((r) => Number(r >= threshold));
}
