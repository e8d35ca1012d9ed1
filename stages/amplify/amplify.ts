import type { Amplified, Masked } from "../record.ts";
import { pureStage, type Stage } from "../stage.ts";
import { amplifyGroup } from "./amplify_group.ts";
import type { AmplifyOptions } from "./amplify_options.ts";
import { checkAmplifyOptions } from "./check_amplify_options.ts";

/**
 * The stage that adds advantages: {@link amplifyGroup} on every group. Throws
 * ConfigError at once, before any group, for options that cannot be used.
 */
export function amplify(options: AmplifyOptions = {}): Stage<Masked, Amplified> {
  checkAmplifyOptions(options);
  return pureStage("amplify", (group) => amplifyGroup(group, options));
}
