import { Schema } from "effect";
import { count, key, NonNegative, Positive, section } from "./_key.ts";

/** Section `algorithm.auxiliary`: supervised training on verified corrections. */
export const AuxiliaryConfig = Schema.Struct({
  reflect_weight: key(NonNegative, 0.2, "weight of reflections that led to an improvement; 0 = off"),
  retry_weight: key(NonNegative, 1, "weight of guided retries that improved; 0 = off"),
  normaliser: key(
    Schema.Literals(["members", "auxiliary"]),
    "members",
    "what the auxiliary loss is divided by: the step's group members or its auxiliary rows",
  ),
});

/** Section `algorithm`: how attempts become gradient. */
export const AlgorithmConfig = Schema.Struct({
  name: key(Schema.Literals(["r3l"]), "r3l", "training pipeline"),
  amplification: key(
    Schema.Literals(["none", "paper", "scaled", "released"]),
    "paper",
    "positive amplification: none, paper (equation 11), scaled (alpha*A for A > 0) or released (the authors' code)",
  ),
  alpha: key(Positive, 3, "amplification factor"),
  estimator: key(Schema.Literals(["grpo"]), "grpo", "advantage estimator of a group"),
  credit: key(
    Schema.Literals(["pivot", "none"]),
    "pivot",
    "pivot: tokens before the pivot turn are not trained; none: all sampled tokens are",
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
  loss: key(Schema.Literals(["policy_gradient"]), "policy_gradient", "per-token loss"),
  aggregation: key(
    Schema.Literals(["seq-mean-token-mean", "token-mean", "seq-mean-token-sum"]),
    "seq-mean-token-mean",
    "how token losses become one number",
  ),
  verify: key(
    Schema.Literals(["improved"]),
    "improved",
    "a correction is verified if its retry's reward is higher than its base's",
  ),
  reward: key(Schema.Literals(["success"]), "success", "scoring rule, the same for base and retry"),
  auxiliary: section(AuxiliaryConfig),
  sync_every: key(count(1), 1, "optimiser steps between synchronisations of the behaviour policy"),
  entropy_coef: key(NonNegative, 0, "weight of the entropy bonus"),
  kl_coef: key(NonNegative, 0, "weight of the KL penalty against the starting policy"),
  without_amplification: key(Schema.Boolean, false, "ablation: sets amplification to none"),
  without_credit: key(Schema.Boolean, false, "ablation: sets credit to none"),
  without_reflection: key(Schema.Boolean, false, "ablation: sets reflection to false"),
});
/** What {@link AlgorithmConfig} decodes to. */
export type AlgorithmConfig = typeof AlgorithmConfig.Type;
