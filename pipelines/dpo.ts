import { offlineStages } from "./_offline_stages.ts";
import { offlineSides } from "./offline/offline_groups.ts";
import { pipeline } from "./pipeline.ts";

/**
 * Direct preference optimisation (arXiv 2305.18290) against the frozen reference policy:
 * on the preferences in `algorithm.offline`, or without a file on the best and the worst
 * of the policy's own attempts at each task.
 */
export const dpo = pipeline({
  reads: ["offline", "loss_options", "reward", "overlong", "sync_every"],
  defaults: {
    algorithm: {
      amplification: "none",
      credit: "none",
      reflection: false,
      estimator: "best_worst",
      loss: "dpo",
      aggregation: "seq-mean-token-sum",
      denominator: "trained",
    },
  },
  offlineRow: (row, policy) => offlineSides(row, "preference", policy),
  stages: offlineStages("preference"),
});
