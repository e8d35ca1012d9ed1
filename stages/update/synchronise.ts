import { Effect, Stream } from "effect";
import { Engine } from "../engine/engine.ts";
import type { PolicyError } from "../errors.ts";
import { Policy } from "../policy/policy.ts";
import type { StepReport } from "../record.ts";
import type { Stage } from "../stage.ts";

/**
 * Gives the behaviour policy the engine's weights after every `interval` steps
 * (R³L's S; 1 = on-policy). Its version becomes the step's number.
 */
export function synchronise(
  interval = 1,
): Stage<StepReport, StepReport, PolicyError, Policy | Engine> {
  return Stream.mapEffect((report: StepReport) =>
    Effect.gen(function* () {
      if (report.step % interval !== 0) return report;
      const engine = yield* Engine;
      const policy = yield* Policy;
      yield* policy.sync(yield* engine.weights, report.step);
      return report;
    })
  );
}
