import type { Loss, LossOptions } from "../loss.ts";
import { clippedSurrogate } from "./_clipped_surrogate.ts";

/**
 * L = max(−A·r, −A·clip(r, 1 − clipLow, 1 + clipHigh)) with r = π/π_old (PPO,
 * arXiv 1707.06347; with 0.2/0.28 DAPO's clip-higher). With `dualClip` c and A < 0
 * the loss is at most −A·c. Where a clip is active the derivative is 0.
 */
export function ppo(options: LossOptions = {}): Loss {
  const { clipLow = 0.2, clipHigh = 0.2, dualClip } = options;
  return {
    needsLogprobs: true,
    aggregation: "token-mean",
    perToken: (rows) => clippedSurrogate(rows, 1 - clipLow, 1 + clipHigh, dualClip),
  };
}
