import type { Amplified, Masked } from "../record.ts";
import { pureStage, type Stage } from "../stage.ts";
import { amplifyGroup } from "./amplify_group.ts";
import type { AmplifyOptions } from "./amplify_options.ts";
import { amplifyRewards } from "./amplify_rewards.ts";
import { checkAmplifyOptions } from "./check_amplify_options.ts";

/**
 * Advantages with every refinement as a group of its own, as in the released form of
 * Critique-GRPO: first attempts are compared with each other, a refinement keeps what
 * the estimator gives a group of one.
 */
export function refinementsApart(options: AmplifyOptions = {}): Stage<Masked, Amplified> {
  checkAmplifyOptions(options);
  return pureStage("amplify", (group) => {
    const members = group.members.map((m) => (m.kind === "retry" ? { ...m, reward: null } : m));
    const first = amplifyGroup({ ...group, members }, options);
    const advantages = group.members.map(({ kind, reward }, i) =>
      kind === "retry" && reward !== null
        ? amplifyRewards([reward], { ...options, flatGroups: "raw" })[0]
        : first.advantages[i]
    );
    return { ...group, advantages, flat: advantages.every((a) => a === 0) };
  });
}
