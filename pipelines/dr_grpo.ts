import { plain } from "./plain.ts";

/**
 * Dr. GRPO (arXiv 2503.20783): GRPO without its two biases. Advantages are not divided
 * by the group's deviation, and token losses are summed over a constant length instead
 * of each attempt's own. No KL penalty.
 */
export const drGrpo = plain({
  estimator: "dr_grpo",
  loss: "ppo",
  aggregation: "seq-mean-token-sum",
  aggregation_width: 128,
});
