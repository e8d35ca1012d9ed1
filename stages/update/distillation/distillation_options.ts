import type { EngineShape } from "../../engine/engine.ts";

/** A fixed policy that scores what the trained one sampled. */
export type Teacher = Pick<EngineShape, "logprobs" | "distributions" | "contextLength">;

/** How far the sampled form looks at a token: see `sampledReverseKl`. */
export interface SampledFormOptions {
  /** Default `k1`. */
  readonly estimator?: "k1" | "k2" | "k3";
  /** `k1`: what later tokens of the row cost counts γ^distance. Default 0. */
  readonly discount?: number;
}

/** Distillation on the policy's own samples (on-policy distillation): a penalty KL(π‖π_teacher) with the policy loss's normaliser. */
export interface DistillationOptions extends SampledFormOptions {
  readonly teacher: Teacher;
  /** Over the whole vocabulary, or estimated from the sampled token. */
  readonly form: "full" | "sampled";
  /** Default 1. */
  readonly coefficient?: number;
  /** Whether advantages train too. Default false. */
  readonly taskRewards?: boolean;
}
