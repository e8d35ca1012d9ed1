import type { AdamW, EngineShape } from "../engine/engine.ts";
import type { Aggregation, AggregationOptions } from "./aggregation_weights.ts";
import type { DistillationOptions } from "./distillation/distillation_options.ts";
import type { KlEstimator } from "./kl.ts";
import type { LossOptions } from "./loss.ts";
import type { LossName } from "./losses.ts";

/** The auxiliary supervised term: its rows, their weights and their own normaliser. */
export interface AuxiliaryOptions {
  /** Factor on reflections; 0 leaves them out. Default 0.2. */
  readonly reflectWeight?: number;
  /** Factor on guided retries; 0 leaves them out. Default 1. */
  readonly retryWeight?: number;
  /**
   * `members`: each row's mean over its tokens, divided by the number of policy
   * rows; `own`: the same, divided by the number of auxiliary rows; `sum`: the plain
   * sum of −log π (R³L, equation 12); `pooled`: the rows join the policy loss with
   * their weight as advantage and share its normaliser (the released code).
   * Default `members`.
   */
  readonly normaliser?: "members" | "own" | "sum" | "pooled";
}

/** A penalty on the divergence from a reference policy, with the policy loss's normaliser. */
export interface KlOptions {
  readonly estimator: KlEstimator;
  readonly coefficient: number;
  /** Log-probabilities under the reference policy; with a coefficient other than 0, a step without them fails. */
  readonly reference?: EngineShape["logprobs"];
}

/** What one optimiser step minimises, apart from its data. */
export interface ObjectiveOptions extends Pick<AggregationOptions, "length" | "norm"> {
  /** Default `policy_gradient`. */
  readonly loss?: LossName;
  readonly lossOptions?: LossOptions;
  /** Default: what the loss's authors use. */
  readonly aggregation?: Aggregation;
  /** Rows that the normalisers count: every member with a reward, or those that get gradient. Default `members`. */
  readonly denominator?: "members" | "trained";
  readonly auxiliary?: AuxiliaryOptions;
  /** Adds −coefficient·(aggregated entropy) to the loss. Default 0. */
  readonly entropyCoefficient?: number;
  readonly kl?: KlOptions;
  readonly distillation?: DistillationOptions;
  /**
   * π_old of retry members, which were sampled with guidance in context: `unguided`
   * takes the current policy's own log-probabilities (ratio 1), `behaviour` those of
   * the guided context. Default `unguided`.
   */
  readonly retryOldLogprobs?: "unguided" | "behaviour";
  /** Rows with a negative advantage whose mean log(π_old/π) is above it do not train (`maskDivergent`). Default off. */
  readonly divergenceLimit?: number;
}

/** Settings of the `update` stage. */
export interface UpdateOptions extends ObjectiveOptions {
  /** Log-probabilities under the frozen policy, for a loss that says `needsReference`. */
  readonly reference?: EngineShape["logprobs"];
  /** Groups in one optimiser step, ≥ 1. */
  readonly groups: number;
  /** Learning rate of a step (1-based). */
  readonly lr: (step: number) => number;
  readonly adamw: Omit<AdamW, "lr">;
  /** Number of the first step, more than 1 when a run resumes. Default 1. */
  readonly firstStep?: number;
  /** Temperature at which the tokens were sampled. Default 1. */
  readonly temperature?: number;
}
