import type { Loss, LossOptions, LossRows } from "../loss.ts";
import { clamp, mapTokens } from "../_map_tokens.ts";
import { clipMetrics } from "./ppo.ts";

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
      const tokens = mapTokens(rows, (i) => {
        const a = rows.advantages[i];
        const free = -a * ratios[i];
        const clipped = -a * clamp(ratios[i], low, high);
        return clipped > free ? [clipped, 0] : [free, free];
      });
      return { ...tokens, metrics: clipMetrics(rows, (i) => ratios[i], low, high) };
    },
  };
}

/** Geometric mean of the importance ratios of row `i`'s trained tokens; 1 if there are none. */
export function sequenceRatio(rows: LossRows, i: number): number {
  let sum = 0;
  let count = 0;
  for (let t = 0; t < rows.mask[i].length; t++) {
    if (rows.mask[i][t]) {
      sum += rows.logp[i][t] - rows.oldLogp[i][t];
      count++;
    }
  }
  return count === 0 ? 1 : Math.exp(sum / count);
}
