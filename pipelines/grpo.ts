import { plain } from "./plain.ts";

/**
 * GRPO (arXiv 2402.03300): advantages relative to the group, PPO's clipped ratio with
 * each attempt's mean over its tokens, and a k3 penalty of 0.01 against the starting
 * policy.
 */
export const grpo = plain({
  estimator: "grpo",
  loss: "ppo",
  aggregation: "seq-mean-token-mean",
  kl_coef: 0.01,
  kl_estimator: "k3",
});
