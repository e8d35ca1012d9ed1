import type { Loss, LossOptions } from "../loss.ts";
import { advantageAt, clamp, mapTokens } from "./_map_tokens.ts";
import { clipMetrics } from "./_clip_metrics.ts";
import { sequenceRatio } from "./sequence_ratio.ts";

/**
 * PPO's clipped loss with one ratio a sequence, s = exp(mean over trained tokens
 * of log π − log π_old) (GSPO, arXiv 2507.18071). Each token carries the value
 * −A·s and passes the gradient on to its own log π, which under the default
 * aggregation `seq-mean-token-mean` is the exact derivative.
 */
export function gspo(options: LossOptions = {}): Loss {
  const low = 1 - (options.clipLow ?? 3e-4);
  const high = 1 + (options.clipHigh ?? 4e-4);
  return {
    needsLogprobs: true,
    aggregation: "seq-mean-token-mean",
    perToken: (rows) => {
      const ratios = rows.mask.map((_, i) => sequenceRatio(rows, i));
      const tokens = mapTokens(rows, (i, t) => {
        const a = advantageAt(rows, i, t);
        const free = -a * ratios[i];
        const clipped = -a * clamp(ratios[i], low, high);
        return clipped > free ? [clipped, 0] : [free, free];
      });
      return { ...tokens, metrics: clipMetrics(rows, (i) => ratios[i], low, high) };
    },
  };
}
