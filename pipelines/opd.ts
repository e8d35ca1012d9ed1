import type { AlgorithmSettings } from "../stages/config/algorithm_settings.ts";
import { updateKeys } from "./_keys.ts";
import { plainStages } from "./_plain_stages.ts";
import { pipeline } from "./pipeline.ts";

/** One rollout a task; per rollout the sum over its tokens, as in ReflectRL's equation 11. */
export const opdDefaults: AlgorithmSettings["defaults"] = {
  rollout: { n: 1 },
  algorithm: {
    amplification: "none",
    credit: "none",
    reflection: false,
    estimator: "reinforce",
    loss: "policy_gradient",
    aggregation: "seq-mean-token-sum",
  },
};

/**
 * On-policy distillation: the policy samples, a fixed teacher scores the same tokens,
 * and the reverse KL(π‖π_T) falls at every one of them. Rewards are measured, and train
 * only with `distillation.task_rewards`.
 */
export const opd = pipeline({
  reads: [...updateKeys, "distillation"],
  requires: ["distillation.teacher"],
  defaults: opdDefaults,
  stages: plainStages,
});
