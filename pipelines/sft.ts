import { offlineStages } from "./_offline_stages.ts";
import { offlineSides } from "./offline/offline_groups.ts";
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
  offlineRow: (row, policy) => offlineSides(row, "demonstration", policy),
  stages: offlineStages("demonstration"),
});
