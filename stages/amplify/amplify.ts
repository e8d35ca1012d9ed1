import { Stream } from "effect";
import type { Amplified, Masked } from "../record.ts";
import { pureStage, type Stage } from "../stage.ts";
import { amplifyBatch } from "./amplify_batch.ts";
import { amplifyGroup } from "./amplify_group.ts";
import type { AmplifyOptions } from "./amplify_options.ts";
import { checkAmplifyOptions } from "./check_amplify_options.ts";
import { estimators } from "./estimators.ts";

/**
 * The stage that adds advantages: {@link amplifyGroup} on every group, then, for an
 * estimator that compares the rows of a whole optimiser step, {@link amplifyBatch} on
 * every `groups` groups. Throws ConfigError at once, before any group, for options
 * that cannot be used.
 */
export function amplify(
  options: AmplifyOptions & { readonly groups?: number } = {},
): Stage<Masked, Amplified> {
  checkAmplifyOptions(options);
  const each = pureStage("amplify", (group: Masked) => amplifyGroup(group, options));
  const batch = options.estimator === undefined ? undefined : estimators[options.estimator].batch;
  if (batch === undefined) return each;
  return (self) =>
    each(self).pipe(
      Stream.grouped(options.groups ?? 1),
      Stream.flatMap((groups) => Stream.fromIterable(amplifyBatch(groups, batch))),
    );
}
