import type { AlgorithmSettings } from "../stages/config/algorithm_settings.ts";
import { updateKeys } from "./_keys.ts";
import { plainStages } from "./_plain_stages.ts";
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
    reads: [...updateKeys, "dynamic_sampling_rounds", "replay"],
    defaults: { algorithm: { amplification: "none", credit: "none", reflection: false, ...algorithm } },
    stages: plainStages,
  });
}
