import { Schema } from "effect";
import { type AmplificationName, amplifications } from "../amplify/amplifications.ts";
import { estimators } from "../amplify/estimators.ts";
import type { Aggregation } from "../update/aggregation_weights.ts";
import type { KlEstimator } from "../update/kl.ts";
import { losses } from "../update/losses.ts";
import { ReflectiveConfig } from "./reflective_config.ts";
import { DistillationConfig } from "./distillation_config.ts";
import { count, key, nameIn, NonNegative, Positive, section, Text } from "./_key.ts";
import {
  EstimatorOptionsConfig,
  LossOptionsConfig,
  OverlongConfig,
  ReplayConfig,
  StepCreditConfig,
  VineConfig,
} from "./algorithm_options_config.ts";

/** Section `algorithm.auxiliary`: supervised training on verified corrections. */
export const AuxiliaryConfig = Schema.Struct({
  reflect_weight: key(NonNegative, 0.2, "weight of reflections that led to an improvement; 0 = off"),
  retry_weight: key(NonNegative, 1, "weight of guided retries that improved; 0 = off"),
  normaliser: key(
    Schema.Literals(["members", "own", "sum", "pooled"]),
    "members",
    "what the auxiliary loss is divided by: members (the step's policy rows), own (its own rows), sum (nothing) or pooled (joins the policy loss)",
  ),
  requires_change: key(
    Schema.Boolean,
    true,
    "a reflection counts only if the retry's first action differs from that of the attempt at this turn",
  ),
  successes: key(
    Schema.Boolean,
    false,
    "reflections that rightly claim success train too, as in the authors' code",
  ),
});

const aggregations = [
  "token-mean",
  "seq-mean-token-mean",
  "seq-mean-token-sum",
  "seq-mean-token-sum-norm",
  "token-sum",
] as const satisfies readonly Aggregation[];

/** Section `algorithm`: how attempts become gradient. */
export const AlgorithmConfig = Schema.Struct({
  name: key(Text, "r3l", "training pipeline; keys below that are not set take its own defaults"),
  amplification: key(
    Schema.Literals(Object.keys(amplifications) as AmplificationName[]),
    "paper",
    "positive amplification: none, paper (equation 11), scaled (alpha*A for A > 0) or released (the authors' code)",
  ),
  alpha: key(Positive, 3, "amplification factor"),
  estimator: key(
    nameIn("estimator", estimators),
    "grpo",
    `advantage estimator of a group: ${Object.keys(estimators).join(", ")}`,
  ),
  estimator_options: section(EstimatorOptionsConfig),
  flat_groups: key(
    Schema.NullOr(Schema.Literals(["zero", "raw"])),
    null,
    "groups of equal rewards: zero (no advantage, unless the estimator learns from them) or raw (by the formula); null = raw with amplification released, else zero",
  ),
  credit: key(
    Schema.Literals(["pivot", "segments", "none"]),
    "pivot",
    "pivot: the prefix that base and retry share is not trained; segments: as in the authors' code; none: all is",
  ),
  reflection: key(Schema.Boolean, true, "diagnose attempts and retry from the pivot"),
  guidance: key(
    Schema.Literals(["suggestion", "report"]),
    "suggestion",
    "what a retry is told: the report's suggestion or the whole report",
  ),
  reflect_temperature: key(Positive, 0.7, "sampling temperature of reflections"),
  reflect_max_tokens: key(count(1), 64, "most tokens of a reflection"),
  reflect_form: key(
    Schema.Literals(["report", "text"]),
    "report",
    "what a reflection is: a report in JSON, or text that advises a retry from the first turn",
  ),
  reflect_prompt: key(
    Text,
    "Reflect:",
    "what asks for a reflection, after the last observation and the verdict",
  ),
  retry_context: key(
    Schema.Literals(["compact", "full"]),
    "compact",
    "reflect_retry_reward: a retry sees the guidance (compact), or the failed attempt and the reflection (full)",
  ),
  retries_per_base: key(
    count(1),
    1,
    "most retries of a base attempt, each after a fresh reflection on the attempt before it",
  ),
  retry_trigger: key(
    Schema.Literals(["report", "always"]),
    "report",
    "report: retry when the report does not claim success; always: retry every attempt with a valid report",
  ),
  loss: key(
    nameIn("loss", losses),
    "policy_gradient",
    `per-token loss: ${Object.keys(losses).join(", ")}`,
  ),
  loss_options: section(LossOptionsConfig),
  retry_old_logprobs: key(
    Schema.Literals(["unguided", "behaviour"]),
    "unguided",
    "old probabilities of retries in losses with a ratio: the policy's own without guidance (ratio 1), or those that they were sampled with",
  ),
  divergence_limit: key(
    Schema.NullOr(NonNegative),
    null,
    "failures whose mean log(old/new) probability is above it do not train (DeepSeek-V3.2); null = off",
  ),
  aggregation: key(
    Schema.Literals(aggregations),
    "seq-mean-token-mean",
    `how token losses become one number: ${aggregations.join(", ")}`,
  ),
  aggregation_width: key(
    Schema.NullOr(count(1)),
    null,
    "constant divisor of the token sums; null = the longest row of the step (seq-mean-token-sum-norm) or none",
  ),
  row_length: key(
    Schema.Literals(["trained", "full"]),
    "trained",
    "what a row's mean divides by: its trained tokens, or all of them as in the paper",
  ),
  denominator: key(
    Schema.Literals(["members", "trained"]),
    "members",
    "rows that the divisors count: members (every attempt) or trained (those with a gradient)",
  ),
  verify: key(
    Schema.Literals(["improved", "released"]),
    "improved",
    "a correction is verified if its retry's reward is higher than its base's (improved), or by the authors' code",
  ),
  reward: key(
    Schema.Literals(["success", "return"]),
    "success",
    "one rule for base and retry: success (1 or 0) or return (the sum of step rewards)",
  ),
  overlong: section(OverlongConfig),
  dynamic_sampling_rounds: key(
    count(1),
    1,
    "most rounds of sampling until batch_size groups differ in success; 1 = no dynamic sampling",
  ),
  offline: key(
    Schema.NullOr(Text),
    null,
    "file with demonstrations (sft), preferences (dpo) or failures (reflect_retry_reward), JSON lines; null = the policy's own attempts",
  ),
  critique_form: key(
    Schema.Literals(["released", "original"]),
    "released",
    "critique_grpo: the best refinement, compared apart from first attempts, or all in one group",
  ),
  step_credit: section(StepCreditConfig),
  base: key(Text, "grpo", "reflect_rl: the algorithm whose rollouts are mixed; its keys and defaults apply"),
  reflective: section(ReflectiveConfig),
  distillation: section(DistillationConfig),
  vine: section(VineConfig),
  replay: section(ReplayConfig),
  auxiliary: section(AuxiliaryConfig),
  sync_every: key(count(1), 1, "optimiser steps between synchronisations of the behaviour policy"),
  entropy_coef: key(NonNegative, 0, "weight of the entropy bonus"),
  kl_coef: key(
    NonNegative,
    0,
    "weight of the KL penalty against the policy at policy.path; 0 = no reference is loaded",
  ),
  kl_estimator: key(
    Schema.Literals(["k1", "k2", "k3", "abs"] satisfies KlEstimator[]),
    "k2",
    "estimator of the KL penalty: k1, k2, k3 or abs",
  ),
  without_amplification: key(Schema.Boolean, false, "ablation: sets amplification to none"),
  without_credit: key(Schema.Boolean, false, "ablation: sets credit to none"),
  without_reflection: key(Schema.Boolean, false, "ablation: sets reflection to false"),
});
/** What {@link AlgorithmConfig} decodes to. */
export type AlgorithmConfig = typeof AlgorithmConfig.Type;
