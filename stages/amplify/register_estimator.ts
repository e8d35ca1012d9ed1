import { register } from "../_register.ts";
import type { Estimate } from "./estimator.ts";
import { estimators } from "./estimators.ts";

/**
 * Makes an estimator of one's own known by `name`, so that `algorithm.estimator: name`
 * works in a configuration that is read afterwards. `estimate` maps the rewards of one
 * group to as many advantages; with `learnsFromFlat` it also sees groups of equal
 * rewards, which otherwise get 0. ConfigError if the name is taken.
 *
 * @example The reward's distance to the group's median
 * ```ts
 * import { estimators } from "./estimators.ts";
 * import { registerEstimator } from "./register_estimator.ts";
 *
 * registerEstimator("median", (rewards) => {
 *   const middle = [...rewards].sort((a, b) => a - b)[rewards.length >> 1];
 *   return rewards.map((r) => r - middle);
 * });
 * console.log(estimators.median.estimate([0, 0, 1])); // [0, 0, 1]
 * ```
 */
export function registerEstimator(
  name: string,
  estimate: Estimate,
  options: { readonly learnsFromFlat?: boolean } = {},
): void {
  register(estimators, "estimator", name, { estimate, learnsFromFlat: options.learnsFromFlat ?? false });
}
