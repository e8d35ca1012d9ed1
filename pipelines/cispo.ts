import { plain } from "./plain.ts";

/** CISPO (arXiv 2506.13585): the importance weight is clipped, so that no token loses its gradient. */
export const cispo = plain({
  estimator: "grpo",
  loss: "cispo",
  aggregation: "token-mean",
  kl_coef: 0.001,
  kl_estimator: "k2",
});
