import type { Logprobs } from "../engine/engine.ts";
import type { Metrics } from "../record.ts";
import type { TrainBatch } from "../update/train_batch.ts";
import { metricNames } from "./metric_names.ts";

/**
 * What the trained tokens say about the policy: entropy (policy rows), and the gap
 * between sampler and trainer (not on retries, which were sampled with guidance, nor on rows of a file).
 * `now` has the policy rows first, then the auxiliary rows.
 */
export function tokenMetrics(batch: TrainBatch, now: Logprobs): Metrics {
  let tokens = 0;
  let entropy = 0;
  let compared = 0;
  let klSum = 0;
  let gapSum = 0;
  let gapMax = 0;
  let supervised = 0;
  [...batch.policy, ...batch.auxiliary].forEach((row, i) => {
    row.mask.forEach((m, t) => {
      if (!m) return;
      if (row.kind === "reflect" || row.kind === "guided") {
        supervised++;
        return;
      }
      tokens++;
      entropy += now.entropy?.[i][t] ?? 0;
      if (row.kind === "retry" || row.kind === "demonstration") return;
      const gap = Math.abs(Math.exp(now.logprobs[i][t]) - Math.exp(row.behaviour[t]));
      compared++;
      klSum += row.behaviour[t] - now.logprobs[i][t];
      gapSum += gap;
      gapMax = Math.max(gapMax, gap);
    });
  });
  return {
    [metricNames.trainedRows]: batch.policy.length + batch.auxiliary.length,
    [metricNames.trainedTokens]: tokens + supervised,
    [metricNames.auxiliaryTokenShare]: supervised / Math.max(1, tokens + supervised),
    ...(now.entropy === undefined || tokens === 0 ? {} : { [metricNames.entropy]: entropy / tokens }),
    ...(compared === 0 ? {} : {
      [metricNames.rolloutKl]: klSum / compared,
      [metricNames.probsDiffMean]: gapSum / compared,
      [metricNames.probsDiffMax]: gapMax,
    }),
  };
}
