import { amplify } from "../stages/amplify/amplify.ts";
import { vineCredit } from "../stages/amplify/vine/vine_credit.ts";
import { mask } from "../stages/mask/mask.ts";
import { replay } from "../stages/replay/replay.ts";
import { sample } from "../stages/sample/sample.ts";
import { score } from "../stages/score/score.ts";
import { withoutRetries } from "../stages/stitch/without_retries.ts";
import { synchronise } from "../stages/update/synchronise.ts";
import { update } from "../stages/update/update.ts";
import { stepUpdateKeys } from "./_keys.ts";
import { pipeline } from "./pipeline.ts";

/**
 * VinePPO (arXiv 2410.01679): a turn's advantage is how much it changed the expected
 * reward, which `vine.rollouts` attempts from the environment's snapshot before and after
 * it estimate. PPO's clip, advantages normalised over the step, k3 penalty of 0.0001.
 */
export const vinePpo = pipeline({
  reads: [...stepUpdateKeys, "vine", "replay"],
  defaults: {
    algorithm: {
      amplification: "none",
      credit: "none",
      reflection: false,
      // Turns are compared with their states' values, not with other attempts.
      estimator: "reinforce",
      loss: "ppo",
      aggregation: "token-mean",
      kl_coef: 0.0001,
      kl_estimator: "k3",
    },
  },
  stages: (options) => (tasks) =>
    tasks.pipe(
      sample(options.sample),
      withoutRetries(),
      score(options.score),
      mask(options.mask),
      amplify(options.amplify),
      vineCredit(options.vine),
      replay(options.replay),
      update(options.update),
      synchronise(options.syncEvery),
    ),
});
