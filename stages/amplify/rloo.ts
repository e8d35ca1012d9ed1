import { isFlat, mean } from "./_statistics.ts";

/** A = R − mean of the others = n/(n−1)·(R − mean) (RLOO, arXiv 2402.14740). A singleton has no others: R. */
export function rloo(rewards: readonly number[]): number[] {
  const n = rewards.length;
  if (n === 1) return [...rewards];
  if (isFlat(rewards)) return rewards.map(() => 0);
  const baseline = mean(rewards);
  return rewards.map((r) => (n / (n - 1)) * (r - baseline));
}
