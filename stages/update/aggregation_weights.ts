/**
 * How token losses become one number:
 * - `token-mean`: Σ L / number of masked-in tokens of the batch (DAPO);
 * - `seq-mean-token-mean`: each row's Σ L / |τ|, then the mean over rows (GRPO, R³L);
 * - `seq-mean-token-sum`: each row's Σ L (divided by `norm`, if given: Dr. GRPO), then the mean over rows;
 * - `seq-mean-token-sum-norm`: Σ L / `norm` (a constant width; not divided by the number of rows);
 * - `token-sum`: Σ L.
 */
export type Aggregation =
  | "token-mean"
  | "seq-mean-token-mean"
  | "seq-mean-token-sum"
  | "seq-mean-token-sum-norm"
  | "token-sum";

/** Details of the normalisers. */
export interface AggregationOptions {
  /** |τ| of `seq-mean-token-mean`: tokens that train, or all tokens of the row (R³L's equation 12 read literally). Default `trained`. */
  readonly length?: "trained" | "full";
  /** Divisor of `seq-mean-token-sum-norm` (default: the longest row) and of `seq-mean-token-sum` (default 1). */
  readonly norm?: number;
  /** Number of rows that the means run over; default the number of masks. */
  readonly rows?: number;
}

/**
 * The constant c[i] by which row `i`'s token losses are multiplied, so that
 * Σ_i c[i]·Σ_t L[i][t] is the aggregated loss. Normalisers come from the whole
 * optimiser batch: how rows are later split into micro-batches cannot matter.
 * Rows without trained tokens get 0.
 */
export function aggregationWeights(
  mask: readonly ArrayLike<number>[],
  mode: Aggregation,
  options: AggregationOptions = {},
): number[] {
  const counts = mask.map(countOnes);
  const rows = options.rows ?? mask.length;
  const total = counts.reduce((a, b) => a + b, 0);
  return counts.map((count, i) => {
    if (count === 0) return 0;
    switch (mode) {
      case "token-mean":
        return 1 / total;
      case "seq-mean-token-mean":
        return 1 / ((options.length === "full" ? mask[i].length : count) * rows);
      case "seq-mean-token-sum":
        return 1 / (rows * (options.norm ?? 1));
      case "seq-mean-token-sum-norm":
        return 1 / (options.norm ?? Math.max(...mask.map((m) => m.length)));
      case "token-sum":
        return 1;
    }
  });
}

/** Number of ones in a mask. */
export function countOnes(mask: ArrayLike<number>): number {
  let n = 0;
  for (let t = 0; t < mask.length; t++) n += mask[t] ? 1 : 0;
  return n;
}
