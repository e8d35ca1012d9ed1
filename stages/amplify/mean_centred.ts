import { isFlat, mean } from "./_statistics.ts";

/** A = R − mean (Dr. GRPO, arXiv 2503.20783): no division, so hard and easy tasks weigh by their variance. A singleton gets 0. */
export function meanCentred(rewards: readonly number[]): number[] {
  if (isFlat(rewards)) return rewards.map(() => 0);
  const baseline = mean(rewards);
  return rewards.map((r) => r - baseline);
}
