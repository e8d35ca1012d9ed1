import { Stream } from "effect";
import type { Engine } from "../engine/engine.ts";
import type { EngineError } from "../errors.ts";
import type { Amplified, StepReport } from "../record.ts";
import type { Stage } from "../stage.ts";
import { updateGroups } from "./update_groups.ts";
import type { UpdateOptions } from "./update_options.ts";

/**
 * The stage that trains: every `groups` groups become one optimiser step
 * ({@link updateGroups}) and one report. Groups are never split; the last step of a
 * stream that ends early has fewer.
 */
export function update(options: UpdateOptions): Stage<Amplified, StepReport, EngineError, Engine> {
  const first = options.firstStep ?? 1;
  return (self) =>
    self.pipe(
      Stream.grouped(options.groups),
      Stream.mapAccum(() => first, (step, groups) => [step + 1, [{ step, groups }]] as const),
      Stream.mapEffect(({ step, groups }) => updateGroups(groups, step, options)),
    );
}
