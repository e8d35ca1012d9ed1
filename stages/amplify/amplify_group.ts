import type { Amplified, Masked } from "../record.ts";
import { isFlat } from "./_statistics.ts";
import type { AmplifyOptions } from "./amplify_options.ts";
import { amplifyRewards } from "./amplify_rewards.ts";

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
