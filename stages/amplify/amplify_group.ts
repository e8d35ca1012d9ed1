import { ConfigError } from "../errors.ts";
import type { Amplified, Masked } from "../record.ts";
import { isFlat } from "./_statistics.ts";
import { type AmplificationName, amplifications } from "./amplifications.ts";
import type { EstimatorOptions } from "./estimator.ts";
import { type EstimatorName, estimators } from "./estimators.ts";

/** How rewards become advantages. */
export interface AmplifyOptions extends EstimatorOptions {
  /** Default `grpo`; with `amplification: "released"`, `opmd`, which is what that rule was written for. */
  readonly estimator?: EstimatorName;
  /** Default `paper`; a baseline without amplification says `none`. */
  readonly amplification?: AmplificationName;
  /** Factor of positive amplification, > 0. Default 3. */
  readonly alpha?: number;
  /**
   * A group of equal rewards: `zero` gives all advantages 0 unless the estimator
   * learns from such groups (then they stay as estimated, without amplification);
   * `raw` applies the formulas as written. Default `zero`; with
   * `amplification: "released"`, `raw`, as its code trains on all-success groups.
   */
  readonly flatGroups?: "zero" | "raw";
}

/**
 * Adds an advantage per member: group-relative estimate, then positive
 * amplification. Members without a reward get 0 and are in no statistic. The
 * result does not depend on the order of the members.
 */
export function amplifyGroup(group: Masked, options: AmplifyOptions = {}): Amplified {
  const rewarded = group.members.flatMap((m, i) => m.reward === null ? [] : [i]);
  const rewards = rewarded.map((i) => group.members[i].reward as number);
  const advantages: number[] = group.members.map(() => 0);
  amplifyRewards(rewards, options).forEach((a, k) => advantages[rewarded[k]] = a);
  return { ...group, advantages, flat: isFlat(rewards) };
}

/** Advantages of the rewards of one group; all are numbers. */
export function amplifyRewards(rewards: readonly number[], options: AmplifyOptions = {}): number[] {
  checkAmplifyOptions(options);
  if (rewards.length === 0) return [];
  const name = options.amplification ?? "paper";
  const estimator = estimators[options.estimator ?? (name === "released" ? "opmd" : "grpo")];
  const flatGroups = options.flatGroups ?? (name === "released" ? "raw" : "zero");
  const guarded = isFlat(rewards) && flatGroups === "zero";
  if (guarded && !estimator.learnsFromFlat) return rewards.map(() => 0);
  const advantages = estimator.estimate(rewards, options);
  return guarded ? advantages : amplifications[name](rewards, advantages, options.alpha ?? 3);
}

/** Throws {@link ConfigError} that lists every option with an unknown name or a value out of range. */
export function checkAmplifyOptions(options: AmplifyOptions): void {
  const faults: { path: string; message: string }[] = [];
  const oneOf = (path: string, value: unknown, known: readonly unknown[]) => {
    if (value !== undefined && !known.includes(value)) {
      faults.push({ path, message: `${JSON.stringify(value)} is none of ${known.join(", ")}` });
    }
  };
  oneOf("estimator", options.estimator, Object.keys(estimators));
  oneOf("amplification", options.amplification, Object.keys(amplifications));
  oneOf("scale", options.scale, ["std", "none", false]);
  oneOf("ddof", options.ddof, [0, 1]);
  oneOf("flatGroups", options.flatGroups, ["zero", "raw"]);
  oneOf("baseline", options.baseline, ["mean", "logavgexp"]);
  for (const path of ["alpha", "tau"] as const) {
    const value = options[path];
    if (value !== undefined && !(value > 0 && Number.isFinite(value))) {
      faults.push({ path, message: `${value} is not a positive number` });
    }
  }
  if (options.eps !== undefined && !(options.eps >= 0)) {
    faults.push({ path: "eps", message: `${options.eps} is negative` });
  }
  if (faults.length > 0) throw new ConfigError({ source: "amplify", faults });
}
