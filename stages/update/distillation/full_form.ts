import type { LogprobOptions, Logprobs } from "../../engine/engine.ts";
import { metricNames } from "../../metrics/metric_names.ts";
import type { Metrics } from "../../record.ts";
import type { TrainRow } from "../train_batch.ts";

/** Weights of the divergences: −coefficient·(the row's constant) at trained tokens, as the engine ascends. */
export function divergenceWeights(rows: readonly TrainRow[], coefficient: number): readonly Float64Array[] {
  return rows.map((row) => Float64Array.from(row.mask, (m) => m === 1 ? -coefficient * row.weight : 0));
}

/** What the engine is to compare: the trained tokens of the policy's rows, nothing of the `others` behind them. */
export function comparedTokens(
  rows: readonly TrainRow[],
  others: readonly TrainRow[],
  against: NonNullable<LogprobOptions["against"]>,
): Pick<LogprobOptions, "select" | "against"> {
  const hidden = [...against.hidden, ...others.map(() => new Float32Array(0))];
  const select = [...rows.map((row) => row.mask), ...others.map((row) => new Uint8Array(row.ids.length))];
  return { select, against: { head: against.head, hidden } };
}

/** The full form's loss and the mean divergence of the trained tokens. */
export function divergenceMetrics(
  rows: readonly TrainRow[],
  divergence: NonNullable<Logprobs["divergence"]>,
  coefficient: number,
): Metrics {
  let [total, sum, tokens] = [0, 0, 0];
  rows.forEach((row, i) =>
    row.mask.forEach((m, t) => {
      if (m !== 1) return;
      total += coefficient * row.weight * divergence[i][t];
      sum += divergence[i][t];
      tokens++;
    })
  );
  return {
    [metricNames.distillationLoss]: total,
    ...(tokens === 0 ? {} : { [metricNames.distillationKl]: sum / tokens }),
  };
}
