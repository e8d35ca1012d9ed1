import { Schema } from "effect";
import { type AmplificationName, amplifications } from "../amplify/amplifications.ts";
import { type EstimatorName, estimators } from "../amplify/estimators.ts";
import type { Aggregation } from "../update/aggregation_weights.ts";
import { losses, type LossName } from "../update/losses.ts";
import { count, key, NonNegative, Positive, section } from "./_key.ts";

/** Section `algorithm.auxiliary`: supervised training on verified corrections. */
export const AuxiliaryConfig = Schema.Struct({
  reflect_weight: key(NonNegative, 0.2, "weight of reflections that led to an improvement; 0 = off"),
  retry_weight: key(NonNegative, 1, "weight of guided retries that improved; 0 = off"),
  normaliser: key(
    Schema.Literals(["members", "own", "sum", "pooled"]),
    "members",
    "what the auxiliary loss is divided by: members (the step's policy rows), own (its own rows), sum (nothing) or pooled (joins the policy loss)",
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
  name: key(Schema.Literals(["r3l"]), "r3l", "training pipeline"),
  amplification: key(
    Schema.Literals(Object.keys(amplifications) as AmplificationName[]),
    "paper",
    "positive amplification: none, paper (equation 11), scaled (alpha*A for A > 0) or released (the authors' code)",
  ),
  alpha: key(Positive, 3, "amplification factor"),
  estimator: key(
    Schema.Literals(Object.keys(estimators) as EstimatorName[]),
    "grpo",
    `advantage estimator of a group: ${Object.keys(estimators).join(", ")}`,
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
  retries_per_base: key(count(1), 1, "retries of a base attempt"),
  retry_trigger: key(
    Schema.Literals(["report", "always"]),
    "report",
    "report: retry when the report does not claim success; always: retry every attempt with a valid report",
  ),
  loss: key(
    Schema.Literals(Object.keys(losses) as LossName[]),
    "policy_gradient",
    `per-token loss: ${Object.keys(losses).join(", ")}`,
  ),
  aggregation: key(
    Schema.Literals(aggregations),
    "seq-mean-token-mean",
    `how token losses become one number: ${aggregations.join(", ")}`,
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
  auxiliary: section(AuxiliaryConfig),
  sync_every: key(count(1), 1, "optimiser steps between synchronisations of the behaviour policy"),
  entropy_coef: key(NonNegative, 0, "weight of the entropy bonus"),
  kl_coef: key(
    NonNegative,
    0,
    "weight of the KL penalty (k2) against the policy at policy.path; 0 = no reference is loaded",
  ),
  without_amplification: key(Schema.Boolean, false, "ablation: sets amplification to none"),
  without_credit: key(Schema.Boolean, false, "ablation: sets credit to none"),
  without_reflection: key(Schema.Boolean, false, "ablation: sets reflection to false"),
});
/** What {@link AlgorithmConfig} decodes to. */
export type AlgorithmConfig = typeof AlgorithmConfig.Type;
