import type { Loss, LossOptions } from "../loss.ts";
import { advantageAt, mapTokens } from "./_map_tokens.ts";

/** L = −A·log π / (1 + τ) (OPMD, arXiv 2505.17826); τ = 1 halves everything, as in the released code of R³L. */
export function opmd(options: LossOptions = {}): Loss {
  const scale = 1 / (1 + (options.tau ?? 1));
  return {
    needsLogprobs: false,
    aggregation: "token-mean",
    perToken: (rows) => ({
      ...mapTokens(rows, (i, t) => {
        const a = -advantageAt(rows, i, t) * scale;
        return [a * rows.logp[i][t], a];
      }),
      metrics: {},
    }),
  };
}
