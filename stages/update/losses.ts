import type { Loss, LossOptions } from "./loss.ts";
import { bapo } from "./losses/bapo.ts";
import { cispo } from "./losses/cispo.ts";
import { critiqueGrpo } from "./losses/critique_grpo.ts";
import { dpo } from "./losses/dpo.ts";
import { gspo } from "./losses/gspo.ts";
import { opmd } from "./losses/opmd.ts";
import { policyGradient } from "./losses/policy_gradient.ts";
import { ppo } from "./losses/ppo.ts";
import { rec } from "./losses/rec.ts";
import { sft } from "./losses/sft.ts";
import { sppo } from "./losses/sppo.ts";
import { topr } from "./losses/topr.ts";

/** A loss, made from its options. */
export type MakeLoss = (options?: LossOptions) => Loss;

const builtIn = {
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
  dpo,
} as const satisfies Record<string, MakeLoss>;

/** Name of a loss; `registerLoss` adds names. */
export type LossName = keyof typeof builtIn | (string & Record<never, never>);

/** The losses by the names that a configuration uses. */
export const losses: Record<LossName, MakeLoss> = { ...builtIn };
