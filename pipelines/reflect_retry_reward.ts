import { amplify } from "../stages/amplify/amplify.ts";
import { diagnose } from "../stages/diagnose/diagnose.ts";
import { mask } from "../stages/mask/mask.ts";
import { repeatFailures } from "../stages/sample/repeat_failures.ts";
import { sample } from "../stages/sample/sample.ts";
import { score } from "../stages/score/score.ts";
import { stitch } from "../stages/stitch/stitch.ts";
import { synchronise } from "../stages/update/synchronise.ts";
import { update } from "../stages/update/update.ts";
import { reportKeys, updateKeys } from "./_keys.ts";
import { pipeline } from "./pipeline.ts";

/**
 * Reflect, Retry, Reward (arXiv 2505.24726): one attempt a task; a failure gets
 * `rollout.n` reflections and a retry from the first turn after each. Only the
 * reflections' tokens train, each rewarded by its own retry and compared with the
 * other reflections on the same failure. KL penalty 0.001, cosine schedule.
 */
export const reflectRetryReward = pipeline({
  reads: [...updateKeys, ...reportKeys],
  defaults: {
    algorithm: {
      amplification: "none",
      credit: "none",
      auxiliary: { reflect_weight: 0, retry_weight: 0 },
      estimator: "grpo",
      loss: "ppo",
      aggregation: "token-mean",
      kl_coef: 0.001,
      kl_estimator: "k3",
    },
    optim: { schedule: "cosine", final_fraction: 0 },
  },
  stages: (options, { rollout }) => (tasks) =>
    tasks.pipe(
      sample({ ...options.sample, attempts: 1 }),
      repeatFailures(rollout.n),
      diagnose({ ...options.diagnose, successes: false }),
      stitch({ ...options.stitch, trigger: "always", from: "start" }),
      score({ ...options.score, members: "reflections" }),
      mask(options.mask),
      amplify(options.amplify),
      update(options.update),
      synchronise(options.syncEvery),
    ),
});
