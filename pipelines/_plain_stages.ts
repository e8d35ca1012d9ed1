import { amplify } from "../stages/amplify/amplify.ts";
import { dynamicSampling } from "../stages/amplify/dynamic_sampling.ts";
import { mask } from "../stages/mask/mask.ts";
import { replay } from "../stages/replay/replay.ts";
import { sample } from "../stages/sample/sample.ts";
import { score } from "../stages/score/score.ts";
import { withoutRetries } from "../stages/stitch/without_retries.ts";
import { synchronise } from "../stages/update/synchronise.ts";
import { update } from "../stages/update/update.ts";
import type { TrainStage } from "./pipeline.ts";
import type { StageOptions } from "./run/stage_options.ts";

/** Sampling and training, no reports, no retries. */
export function plainStages(options: StageOptions): TrainStage {
  return (tasks) =>
    tasks.pipe(
      sample(options.sample),
      withoutRetries(),
      score(options.score),
      mask(options.mask),
      amplify(options.amplify),
      dynamicSampling(options.dynamicSampling),
      replay(options.replay),
      update(options.update),
      synchronise(options.syncEvery),
    );
}
