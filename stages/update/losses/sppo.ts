import type { Loss, LossOptions } from "../loss.ts";
import { advantageAt, mapTokens, ratioOf } from "./_map_tokens.ts";

/**
 * L = −A·(log π − log π_old) while 1/(1 + clipHigh) ≤ r ≤ 1 + clipHigh, else 0
 * (arXiv 2108.05828 with token ratios, as in Trinity-RFT's `sppo`).
 */
export function sppo(options: LossOptions = {}): Loss {
  const high = 1 + (options.clipHigh ?? 0.3);
  return {
    needsLogprobs: true,
    aggregation: "token-mean",
    perToken: (rows) => ({
      ...mapTokens(rows, (i, t) => {
        const r = ratioOf(rows, i, t);
        if (r < 1 / high || r > high) return [0, 0];
        return [-advantageAt(rows, i, t) * (rows.logp[i][t] - rows.oldLogp[i][t]), -advantageAt(rows, i, t)];
      }),
      metrics: {},
    }),
  };
}
