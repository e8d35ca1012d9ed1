import type { Loss } from "../loss.ts";
import { advantageAt, mapTokens } from "./_map_tokens.ts";

/** L = −A·log π, the score-function estimator (REINFORCE): no ratio, no clip. R³L's loss (equation 12). */
export function policyGradient(): Loss {
  return {
    needsLogprobs: false,
    aggregation: "seq-mean-token-mean",
    perToken: (rows) => ({
      ...mapTokens(rows, (i, t) => [-advantageAt(rows, i, t) * rows.logp[i][t], -advantageAt(rows, i, t)]),
      metrics: {},
    }),
  };
}
