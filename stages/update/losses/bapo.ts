import type { Loss, LossOptions } from "../loss.ts";
import { clippedSurrogate } from "./_clipped_surrogate.ts";
import { bapoBounds } from "./bapo_bounds.ts";
import { bapoSearches } from "./bapo_searches.ts";

/**
 * PPO with clip bounds that are widened until positive tokens contribute enough
 * (BAPO, arXiv 2510.18927). The bounds are found once for the whole batch; the
 * `released` recipe also clips dually at 3.
 */
export function bapo(options: LossOptions = {}): Loss {
  const name = options.search ?? "paper";
  const dualClip = options.dualClip ?? (name === "released" ? 3 : undefined);
  return {
    needsLogprobs: true,
    aggregation: "token-mean",
    perToken: (rows) => {
      const search = bapoSearches[name];
      const { low, high } = bapoBounds(rows, { ...search, target: options.target ?? search.target });
      return clippedSurrogate(rows, low, high, dualClip);
    },
  };
}
