import { amplify } from "../stages/amplify/amplify.ts";
import { refinementsApart } from "../stages/amplify/refinements_apart.ts";
import { diagnose } from "../stages/diagnose/diagnose.ts";
import { mask } from "../stages/mask/mask.ts";
import { replay } from "../stages/replay/replay.ts";
import { sample } from "../stages/sample/sample.ts";
import { score } from "../stages/score/score.ts";
import { selectRefinements } from "../stages/score/select_refinements.ts";
import { stitch } from "../stages/stitch/stitch.ts";
import { synchronise } from "../stages/update/synchronise.ts";
import { update } from "../stages/update/update.ts";
import { reportKeys, updateKeys } from "./_keys.ts";
import { pipeline } from "./pipeline.ts";

/**
 * Critique-GRPO (arXiv 2506.03106): failures are criticised and refined from the first
 * turn. Refinements train without the critique, shaped by π/(π + γ) instead of a ratio.
 * `critique_form: released` (the R³L authors' code) compares them apart from the first
 * attempts, at most one a group; `original` compares all with all by R − mean and sums
 * token losses over a constant length. `rollout.n` counts attempts and refinements. No
 * KL penalty.
 */
export const critiqueGrpo = pipeline({
  reads: [...updateKeys, ...reportKeys, "critique_form", "replay"],
  defaults: {
    algorithm: {
      amplification: "none",
      credit: "none",
      auxiliary: { reflect_weight: 0, retry_weight: 0 },
      estimator: "grpo",
      loss: "critique_grpo",
      aggregation: "token-mean",
    },
  },
  variants: {
    critique_form: {
      original: {
        algorithm: { estimator: "dr_grpo", aggregation: "seq-mean-token-sum", aggregation_width: 128 },
      },
    },
  },
  stages: (options, { algorithm: { critique_form: form } }) => (tasks) =>
    tasks.pipe(
      sample(options.sample),
      diagnose({ ...options.diagnose, successes: false }),
      stitch({ ...options.stitch, trigger: "always", from: "start" }),
      score(options.score),
      selectRefinements(form),
      mask(options.mask),
      form === "released" ? refinementsApart(options.amplify) : amplify(options.amplify),
      replay(options.replay),
      update(options.update),
      synchronise(options.syncEvery),
    ),
});
