import type { Loss, LossOptions } from "../loss.ts";
import { advantageAt, clamp, detachedRatio, mapTokens } from "./_map_tokens.ts";

/**
 * L = −A·sg[clip(r, 1 − clipLow, 1 + clipHigh)]·log π (CISPO, arXiv 2506.13585):
 * the weight is clipped, no token loses its gradient, unless `maskBeyondClip`.
 */
export function cispo(options: LossOptions = {}): Loss {
  const low = 1 - (options.clipLow ?? 1);
  const high = 1 + (options.clipHigh ?? 0.28);
  return {
    needsLogprobs: true,
    aggregation: "token-mean",
    perToken: (rows) => ({
      ...mapTokens(rows, (i, t) => {
        const a = advantageAt(rows, i, t);
        const r = detachedRatio(rows, i, t);
        if (options.maskBeyondClip && (a > 0 ? r > high : r < low)) return [0, 0];
        const weight = -a * clamp(r, low, high);
        return [weight * rows.logp[i][t], weight];
      }),
      metrics: {},
    }),
  };
}
