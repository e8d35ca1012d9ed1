import { updateKeys } from "./_keys.ts";
import { plainStages } from "./_plain_stages.ts";
import { opdDefaults } from "./opd.ts";
import { pipeline } from "./pipeline.ts";

/**
 * ReflectRL on on-policy distillation (arXiv 2608.03972, equation 11): at the first K_t
 * of a batch's tasks the teacher reads a golden negative trajectory that the policy never
 * sees. The policy's rollouts are those of `opd`, which this is with K_t = 0.
 */
export const reflectRlOpd = pipeline({
  reads: [...updateKeys, "distillation", "reflective"],
  requires: ["distillation.teacher", "reflective.file"],
  defaults: opdDefaults,
  stages: plainStages,
});
