import type { Loss } from "../loss.ts";
import { mapTokens } from "./_map_tokens.ts";

/** L = −log π: supervised fine-tuning; advantages are not read. */
export function sft(): Loss {
  return {
    needsLogprobs: false,
    aggregation: "token-mean",
    perToken: (rows) => ({ ...mapTokens(rows, (i, t) => [-rows.logp[i][t], -1]), metrics: {} }),
  };
}
