import { plain } from "./plain.ts";

/** GSPO (arXiv 2507.18071): one ratio and one narrow clip for a whole attempt. */
export const gspo = plain({
  estimator: "grpo",
  loss: "gspo",
  aggregation: "seq-mean-token-mean",
  kl_coef: 0.01,
  kl_estimator: "k3",
});
