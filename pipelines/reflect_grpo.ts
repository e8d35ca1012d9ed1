import { amplify } from "../stages/amplify/amplify.ts";
import { diagnose } from "../stages/diagnose/diagnose.ts";
import { mask } from "../stages/mask/mask.ts";
import { replay } from "../stages/replay/replay.ts";
import { sample } from "../stages/sample/sample.ts";
import { score } from "../stages/score/score.ts";
import { stitch } from "../stages/stitch/stitch.ts";
import { synchronise } from "../stages/update/synchronise.ts";
import { update } from "../stages/update/update.ts";
import { reportKeys, updateKeys } from "./_keys.ts";
import { pipeline } from "./pipeline.ts";

/**
 * Reflect-GRPO, the baseline of R³L's paper: half of the group's attempts are reflected
 * on and retried from the first turn; the retries, without their guidance, join the
 * group. GRPO's update, no pivot, no verified corrections.
 */
export const reflectGrpo = pipeline({
  reads: [...updateKeys, ...reportKeys, "retries_per_base", "retry_trigger", "retry_old_logprobs", "replay"],
  defaults: {
    algorithm: {
      amplification: "none",
      credit: "none",
      auxiliary: { reflect_weight: 0, retry_weight: 0 },
      estimator: "grpo",
      loss: "ppo",
      aggregation: "seq-mean-token-mean",
      kl_coef: 0.01,
      kl_estimator: "k3",
    },
  },
  stages: (options) => (tasks) =>
    tasks.pipe(
      sample(options.sample),
      diagnose(options.diagnose),
      stitch({ ...options.stitch, from: "start" }),
      score(options.score),
      mask(options.mask),
      amplify(options.amplify),
      replay(options.replay),
      update(options.update),
      synchronise(options.syncEvery),
    ),
});
