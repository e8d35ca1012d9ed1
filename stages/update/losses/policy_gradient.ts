import type { Loss } from "../loss.ts";
import { mapTokens } from "./_map_tokens.ts";

/** L = −A·log π, the score-function estimator (REINFORCE): no ratio, no clip. R³L's loss (equation 12). */
export function policyGradient(): Loss {
  return {
    needsLogprobs: false,
    aggregation: "seq-mean-token-mean",
    perToken: (rows) => ({
      ...mapTokens(rows, (i, t) => [-rows.advantages[i] * rows.logp[i][t], -rows.advantages[i]]),
      metrics: {},
    }),
  };
}
