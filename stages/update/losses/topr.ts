import type { Loss, LossOptions } from "../loss.ts";
import { advantageAt, clamp, detachedRatio, mapTokens } from "./_map_tokens.ts";

/** L = −sg[w]·A·log π with w = 1 for A > threshold, else clip(r, 0, 1) (TOPR, arXiv 2503.14286). */
export function topr(options: LossOptions = {}): Loss {
  const threshold = options.threshold ?? 0;
  return {
    needsLogprobs: true,
    aggregation: "token-mean",
    perToken: (rows) => ({
      ...mapTokens(rows, (i, t) => {
        const a = advantageAt(rows, i, t);
        const weight = -a * (a > threshold ? 1 : clamp(detachedRatio(rows, i, t), 0, 1));
        return [weight * rows.logp[i][t], weight];
      }),
      metrics: {},
    }),
  };
}
