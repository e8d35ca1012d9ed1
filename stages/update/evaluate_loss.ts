import type { Metrics } from "../record.ts";
import { aggregationWeights } from "./aggregation_weights.ts";
import type { Loss, LossRows } from "./loss.ts";

/** An aggregated loss. */
export interface LossValue {
  readonly value: number;
  /** ∂value/∂logp per row and token; exactly 0 where the mask is 0. */
  readonly dLogp: readonly Float64Array[];
  readonly metrics: Metrics;
}

/**
 * Token losses and their aggregate Σ_i c[i]·Σ_t L[i][t]. The row constants c come
 * from {@link aggregationWeights}; by default those of the loss's own aggregation
 * over exactly these rows. Throws RangeError if shapes disagree.
 */
export function evaluateLoss(
  loss: Loss,
  rows: LossRows,
  rowWeights: readonly number[] = aggregationWeights(rows.mask, loss.aggregation),
): LossValue {
  const { loss: tokens, dLogp, metrics } = loss.perToken(rows);
  let value = 0;
  rowWeights.forEach((c, i) => {
    if (c !== 0) { for (const l of tokens[i]) value += c * l; }
  });
  return { value, dLogp: dLogp.map((row, i) => row.map((d) => d === 0 ? 0 : rowWeights[i] * d)), metrics };
}
