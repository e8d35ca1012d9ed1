import { metricNames } from "../../metrics/metric_names.ts";
import type { Metrics } from "../../record.ts";
import type { TrainRow } from "../train_batch.ts";
import type { DistillationOptions } from "./distillation_options.ts";
import { LEAST_LOGPROB, sampledReverseKl } from "./sampled_reverse_kl.ts";

/** Takes the gradient of the sampled form off `weights`; returns its loss and the mean log(π/π_T) of the trained tokens. */
export function addDistillation(
  weights: readonly Float64Array[],
  rows: readonly TrainRow[],
  logp: readonly ArrayLike<number>[],
  teacherLogp: readonly ArrayLike<number>[],
  options: Omit<DistillationOptions, "teacher">,
): Metrics {
  const mask = rows.map((row) => row.mask);
  const oldLogp = rows.map((row) => row.behaviour);
  const { loss, dLogp, raised } = sampledReverseKl({ logp, oldLogp, teacherLogp, mask }, options);
  const coefficient = options.coefficient ?? 1;
  let [total, gap, tokens] = [0, 0, 0];
  rows.forEach((row, i) => {
    for (let t = 0; t < row.mask.length; t++) {
      if (!row.mask[t]) continue;
      total += coefficient * row.weight * loss[i][t];
      weights[i][t] -= coefficient * row.weight * dLogp[i][t];
      gap += logp[i][t] - Math.max(teacherLogp[i][t], LEAST_LOGPROB);
      tokens++;
    }
  });
  return {
    [metricNames.distillationLoss]: total,
    ...(tokens === 0 ? {} : { [metricNames.distillationKl]: gap / tokens }),
    [metricNames.distillationRaised]: raised,
  };
}
