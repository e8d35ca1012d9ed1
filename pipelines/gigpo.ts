import { amplify } from "../stages/amplify/amplify.ts";
import { stepCredit } from "../stages/amplify/step_credit.ts";
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
 * GiGPO (arXiv 2505.10978): an attempt's advantage in its group, plus a turn's advantage
 * among all turns of the group that answered the same observation. PPO's clip, no KL.
 */
export const gigpo = pipeline({
  reads: [...stepUpdateKeys, "step_credit", "replay"],
  defaults: {
    algorithm: {
      amplification: "none",
      credit: "none",
      reflection: false,
      loss: "ppo",
      aggregation: "seq-mean-token-mean",
    },
  },
  stages: (options, { algorithm: { step_credit: credit } }) => (tasks) =>
    tasks.pipe(
      sample(options.sample),
      withoutRetries(),
      score(options.score),
      mask(options.mask),
      amplify(options.amplify),
      stepCredit(credit),
      replay(options.replay),
      update(options.update),
      synchronise(options.syncEvery),
    ),
});
