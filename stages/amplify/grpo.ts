import type { EstimatorOptions } from "./estimator.ts";
import { isFlat, mean, standardDeviation } from "./_statistics.ts";

/**
 * A = (R − mean) / (std + eps) (GRPO, arXiv 2402.03300, section 4.1.2). Conventions
 * differ between trainers, so `ddof`, `eps` and `scale` are options. Equal rewards
 * give exactly 0, decided before any mean is taken (rounding over a tiny std would
 * invent a signal). A singleton has no baseline: R / (1 + eps).
 */
export function grpo(rewards: readonly number[], options: EstimatorOptions = {}): number[] {
  const { ddof = 1, eps = 1e-6, scale = "std" } = options;
  const single = rewards.length === 1;
  if (!single && isFlat(rewards)) return rewards.map(() => 0);
  const baseline = single ? 0 : mean(rewards);
  if (scale !== "std") return rewards.map((r) => r - baseline);
  const std = options.std ?? (single ? 1 : standardDeviation(rewards, ddof));
  return rewards.map((r) => (r - baseline) / (std + eps));
}
