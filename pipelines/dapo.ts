import { plain } from "./plain.ts";

/**
 * DAPO (arXiv 2503.14476): a clip that is wider above, one mean over all tokens, whole
 * groups sampled anew until enough of them differ in success, and a penalty on attempts
 * that get too long. No KL penalty.
 */
export const dapo = plain({
  estimator: "grpo",
  loss: "ppo",
  loss_options: { clip_low: 0.2, clip_high: 0.28 },
  aggregation: "token-mean",
  dynamic_sampling_rounds: 4,
  overlong: { limit: 384 },
});
