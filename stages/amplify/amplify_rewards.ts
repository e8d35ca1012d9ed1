import { isFlat } from "./_statistics.ts";
import { amplifications } from "./amplifications.ts";
import type { AmplifyOptions } from "./amplify_options.ts";
import { checkAmplifyOptions } from "./check_amplify_options.ts";
import { estimators } from "./estimators.ts";

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
