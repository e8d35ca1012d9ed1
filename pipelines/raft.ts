import { plain } from "./plain.ts";

/**
 * RAFT (arXiv 2304.06767): supervised training on the best attempt of each group, if it
 * is good enough; `estimator_options.accept: threshold` keeps all that are.
 */
export const raft = plain({
  estimator: "raft",
  estimator_options: { accept: "best" },
  // With advantages of 1 and 0 this is supervised training on what was accepted.
  loss: "policy_gradient",
  aggregation: "token-mean",
  denominator: "trained",
});
