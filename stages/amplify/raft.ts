import type { EstimatorOptions } from "./estimator.ts";

/**
 * Rejection sampling as supervised learning (RAFT, arXiv 2304.06767): A = 1 for a
 * reward of at least `threshold`, else 0; with `accept: "best"` only the best of the
 * group, its weight shared between equals, if it is accepted at all.
 */
export function raft(rewards: readonly number[], options: EstimatorOptions = {}): number[] {
  const { threshold = 1, accept = "threshold" } = options;
  if (accept === "threshold") return rewards.map((r) => Number(r >= threshold));
  const best = Math.max(...rewards);
  const kept = rewards.filter((r) => r === best).length;
  return rewards.map((r) => (r === best && r >= threshold ? 1 / kept : 0));
}
