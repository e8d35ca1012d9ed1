import { amplify } from "../stages/amplify/amplify.ts";
import { dynamicSampling } from "../stages/amplify/dynamic_sampling.ts";
import type { AlgorithmSettings } from "../stages/config/algorithm_settings.ts";
import { mask } from "../stages/mask/mask.ts";
import { sample } from "../stages/sample/sample.ts";
import { score } from "../stages/score/score.ts";
import { withoutRetries } from "../stages/stitch/without_retries.ts";
import { synchronise } from "../stages/update/synchronise.ts";
import { update } from "../stages/update/update.ts";
import { updateKeys } from "./_keys.ts";
import { type Pipeline, pipeline } from "./pipeline.ts";

/** Settings of section `algorithm` for {@link plain}. */
export type PlainDefaults = NonNullable<AlgorithmSettings["defaults"]["algorithm"]>;

/**
 * A method that only samples and trains: `rollout.n` attempts a task, no reports, no
 * retries, no amplification. Estimator, loss, aggregation and KL penalty make the
 * difference between those methods.
 */
export function plain(algorithm: PlainDefaults): Pipeline {
  return pipeline({
    reads: [...updateKeys, "dynamic_sampling_rounds"],
    defaults: { algorithm: { amplification: "none", credit: "none", reflection: false, ...algorithm } },
    stages: (options) => (tasks) =>
      tasks.pipe(
        sample(options.sample),
        withoutRetries(),
        score(options.score),
        mask(options.mask),
        amplify(options.amplify),
        dynamicSampling(options.dynamicSampling),
        update(options.update),
        synchronise(options.syncEvery),
      ),
  });
}
