import { Schema } from "effect";
import { count, key, NonNegative, Positive } from "./_key.ts";

const own = "; null = the loss's own";

/** Section `algorithm.estimator_options`: each estimator reads those that its formula names. */
export const EstimatorOptionsConfig = Schema.Struct({
  scale: key(
    Schema.Literals(["std", "none"]),
    "std",
    "grpo: divide by the group's standard deviation or not",
  ),
  ddof: key(Schema.Literals([0, 1]), 1, "grpo, ngrpo: degrees of freedom taken from the variance's divisor"),
  eps: key(NonNegative, 1e-6, "grpo, ngrpo: added to the standard deviation"),
  baseline: key(
    Schema.Literals(["mean", "logavgexp"]),
    "mean",
    "opmd: mean of the group, or tau*log(mean(exp(R/tau)))",
  ),
  tau: key(Positive, 1, "opmd: temperature of logavgexp"),
  max_reward: key(Schema.Finite, 1, "ngrpo: reward of the virtual best member"),
  shift: key(Schema.Finite, -0.1, "asymre: shift of the baseline"),
  accept: key(
    Schema.Literals(["threshold", "best"]),
    "threshold",
    "raft: keep every accepted attempt, or of those only the group's best",
  ),
  threshold: key(Schema.Finite, 1, "raft: an attempt is accepted from this reward on"),
});

/** Section `algorithm.loss_options`: each loss reads those that its formula names. */
export const LossOptionsConfig = Schema.Struct({
  clip_low: key(Schema.NullOr(NonNegative), null, `ratios are clipped at 1 - clip_low${own}`),
  clip_high: key(Schema.NullOr(NonNegative), null, `ratios are clipped at 1 + clip_high${own}`),
  dual_clip: key(
    Schema.NullOr(Schema.Finite.check(Schema.isGreaterThan(1))),
    null,
    `ppo, bapo: bound of the loss at -A*dual_clip for A < 0${own}`,
  ),
  tau: key(Schema.NullOr(NonNegative), null, `opmd: the loss is divided by 1 + tau${own}`),
  gamma: key(Schema.NullOr(Positive), null, `critique_grpo: shaping p/(p + gamma) of refinements${own}`),
  beta: key(Schema.NullOr(Positive), null, `dpo: strength of the pull to the frozen policy${own}`),
  smoothing: key(
    Schema.NullOr(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 0.5 }))),
    null,
    `dpo: share of preferences that are the wrong way round${own}`,
  ),
  search: key(
    Schema.NullOr(Schema.Literals(["paper", "released"])),
    null,
    `bapo: search of the bounds as in the paper or in the authors' code${own}`,
  ),
  target: key(
    Schema.NullOr(Positive.check(Schema.isLessThanOrEqualTo(1))),
    null,
    `bapo: share of positive tokens to reach${own}`,
  ),
  mask_beyond_clip: key(Schema.Boolean, false, "cispo: drop tokens whose ratio is beyond the bound"),
  threshold: key(
    Schema.NullOr(Schema.Finite),
    null,
    `topr: advantages above it count as positive${own}`,
  ),
  range: key(
    Schema.NullOr(Schema.Literals(["none", "one-side", "two-side", "ring"])),
    null,
    `rec: which ratios train, all of them (none) or those that the clips leave${own}`,
  ),
  outer_low: key(
    Schema.NullOr(NonNegative),
    null,
    `rec, range ring: successes train again at ratios of at most 1 - outer_low${own}`,
  ),
  outer_high: key(
    Schema.NullOr(NonNegative),
    null,
    `rec, range ring: failures train again at ratios of at least 1 + outer_high${own}`,
  ),
  weight: key(
    Schema.NullOr(Schema.Literals(["none", "ratio", "advantage"])),
    null,
    `rec: factor on the advantage A, the ratio or exp(A/temperature)${own}`,
  ),
  temperature: key(Schema.NullOr(Positive), null, `rec, weight advantage: its temperature${own}`),
  regulariser: key(
    Schema.NullOr(Schema.Literals(["none", "k2", "forward-kl"])),
    null,
    `rec: pull towards the behaviour policy${own}`,
  ),
  regulariser_coef: key(Schema.NullOr(Positive), null, "rec: strength of the regulariser, which needs one"),
});

/** Section `algorithm.step_credit`: GiGPO's advantages of single turns. */
export const StepCreditConfig = Schema.Struct({
  gamma: key(
    Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 })),
    0.95,
    "discount of the returns",
  ),
  weight: key(NonNegative, 1, "weight of the turn's advantage beside the attempt's"),
  norm: key(
    Schema.Literals(["mean", "mean_std"]),
    "mean",
    "mean: only centred; mean_std: also divided by the standard deviation",
  ),
  statistics: key(
    Schema.Literals(["episodes", "steps"]),
    "episodes",
    "an attempt counts once in its group's statistics, or once a turn",
  ),
});

/** Section `algorithm.replay`: groups that train more than once. */
export const ReplayConfig = Schema.Struct({
  steps_per_sample: key(
    count(1),
    1,
    "optimiser steps for one sampling: the first on what was sampled, the others from the buffer; 1 = no replay",
  ),
  max_uses: key(count(1), 3, "most steps that use one group"),
  use_penalty: key(
    NonNegative,
    2,
    "a group's priority is its policy's version less this for each use",
  ),
  cooldown: key(count(0), 0, "steps that a group rests after a use"),
  capacity: key(count(1), 64, "most groups that are kept"),
});

/** Section `algorithm.vine`: VinePPO's values of single states. */
export const VineConfig = Schema.Struct({
  rollouts: key(count(1), 9, "rollouts from each state that estimate its value"),
  whiten: key(Schema.Boolean, true, "normalise the advantages over all trained tokens of a step"),
});

/** Section `algorithm.overlong`: DAPO's penalty on long attempts, in sampled tokens. */
export const OverlongConfig = Schema.Struct({
  limit: key(Schema.NullOr(count(1)), null, "attempts this long get the whole penalty; null = no penalty"),
  cache: key(
    Schema.NullOr(count(1)),
    null,
    "width of the ramp below the limit; null = a fifth of it, as in the paper",
  ),
  factor: key(NonNegative, 1, "the whole penalty"),
});
