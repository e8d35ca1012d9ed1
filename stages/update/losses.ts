import type { Loss, LossOptions } from "./loss.ts";
import { bapo } from "./losses/bapo.ts";
import { cispo } from "./losses/cispo.ts";
import { critiqueGrpo } from "./losses/critique_grpo.ts";
import { gspo } from "./losses/gspo.ts";
import { opmd } from "./losses/opmd.ts";
import { policyGradient } from "./losses/policy_gradient.ts";
import { ppo } from "./losses/ppo.ts";
import { rec } from "./losses/rec.ts";
import { sft } from "./losses/sft.ts";
import { sppo } from "./losses/sppo.ts";
import { topr } from "./losses/topr.ts";

/** The losses by the names that a configuration uses; each is made from its options. */
export const losses = {
  policy_gradient: policyGradient,
  ppo,
  gspo,
  opmd,
  sft,
  cispo,
  critique_grpo: critiqueGrpo,
  topr,
  sppo,
  rec,
  bapo,
} as const satisfies Record<string, (options?: LossOptions) => Loss>;

/** Name of a loss. */
export type LossName = keyof typeof losses;
