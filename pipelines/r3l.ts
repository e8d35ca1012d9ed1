import { amplify } from "../stages/amplify/amplify.ts";
import { diagnose } from "../stages/diagnose/diagnose.ts";
import { mask } from "../stages/mask/mask.ts";
import { replay } from "../stages/replay/replay.ts";
import { sample } from "../stages/sample/sample.ts";
import { score } from "../stages/score/score.ts";
import { stitch } from "../stages/stitch/stitch.ts";
import { synchronise } from "../stages/update/synchronise.ts";
import { update } from "../stages/update/update.ts";
import { retryKeys, updateKeys } from "./_keys.ts";
import { pipeline } from "./pipeline.ts";

/**
 * R³L (arXiv 2601.03715): the policy diagnoses its own attempts, retries from the
 * pivot under its own guidance, and is trained on the shared prefix plus the
 * corrected suffix without the guidance. Nothing before a pivot gets gradient,
 * rare successes are amplified, and verified corrections keep the skills of
 * reflecting and retrying alive. Its three ablations are configuration.
 */
export const r3l = pipeline({
  reads: [...updateKeys, ...retryKeys, "replay"],
  // The defaults of the configuration are this algorithm's.
  defaults: {},
  stages: (options) => (tasks) =>
    tasks.pipe(
      sample(options.sample),
      diagnose(options.diagnose),
      stitch(options.stitch),
      score(options.score),
      mask(options.mask),
      amplify(options.amplify),
      replay(options.replay),
      update(options.update),
      synchronise(options.syncEvery),
    ),
});
