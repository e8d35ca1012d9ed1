import type { Environment } from "../envs/env.ts";
import { amplify } from "../stages/amplify/amplify.ts";
import type { RunConfig } from "../stages/config/run_config.ts";
import { diagnose } from "../stages/diagnose/diagnose.ts";
import type { Engine, EngineShape } from "../stages/engine/engine.ts";
import type { EngineError, PolicyError, ScoreError } from "../stages/errors.ts";
import { mask } from "../stages/mask/mask.ts";
import type { Policy } from "../stages/policy/policy.ts";
import type { StepReport, TaskAt } from "../stages/record.ts";
import { sample } from "../stages/sample/sample.ts";
import { score } from "../stages/score/score.ts";
import type { Stage } from "../stages/stage.ts";
import { stitch } from "../stages/stitch/stitch.ts";
import { synchronise } from "../stages/update/synchronise.ts";
import { update } from "../stages/update/update.ts";
import { stageOptions } from "./stage_options.ts";

/**
 * R³L (arXiv 2601.03715): the policy diagnoses its own attempts, retries from the
 * pivot under its own guidance, and is trained on the shared prefix plus the
 * corrected suffix without the guidance. Nothing before a pivot gets gradient,
 * rare successes are amplified, and verified corrections keep the skills of
 * reflecting and retrying alive. Its three ablations are configuration.
 */
export function r3l(
  config: RunConfig,
  firstStep = 1,
  reference?: EngineShape["logprobs"],
): Stage<TaskAt, StepReport, PolicyError | EngineError | ScoreError, Policy | Engine | Environment> {
  const options = stageOptions(config, firstStep, reference);
  return (tasks) =>
    tasks.pipe(
      sample(options.sample),
      diagnose(options.diagnose),
      stitch(options.stitch),
      score(options.score),
      mask(options.mask),
      amplify(options.amplify),
      update(options.update),
      synchronise(options.syncEvery),
    );
}
