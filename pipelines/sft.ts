import { synchronise } from "../stages/update/synchronise.ts";
import { update } from "../stages/update/update.ts";
import { plainStages } from "./_plain_stages.ts";
import { offlineGroups } from "./offline/offline_groups.ts";
import { pipeline } from "./pipeline.ts";

/**
 * Supervised fine-tuning, −log π over all trained tokens: on the demonstrations in
 * `algorithm.offline`, for a warm start, or without a file on the policy's own attempts
 * that were good enough (`estimator_options.threshold`), each weighing the same.
 */
export const sft = pipeline({
  reads: [
    "offline",
    "estimator_options",
    "aggregation",
    "aggregation_width",
    "denominator",
    "reward",
    "overlong",
    "sync_every",
    "entropy_coef",
    "kl_coef",
    "kl_estimator",
  ],
  defaults: {
    algorithm: {
      amplification: "none",
      credit: "none",
      reflection: false,
      estimator: "raft",
      loss: "sft",
      aggregation: "token-mean",
      denominator: "trained",
    },
  },
  stages: (options, config) => {
    const { offline } = config.algorithm;
    if (offline === null) return plainStages(options);
    return (tasks) =>
      tasks.pipe(
        offlineGroups(offline, "demonstration", config),
        update(options.update),
        synchronise(options.syncEvery),
      );
  },
});
