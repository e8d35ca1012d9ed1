import type { LossRows } from "./loss.ts";

/**
 * Masks whole rows that were failures and that the policy would hardly write any more:
 * those with a negative advantage whose mean log(π_old/π) over trained tokens is above
 * `limit` (DeepSeek-V3.2, arXiv 2512.02556, off-policy sequence masking). Rows with
 * advantages per token go by their sum. Undefined = nothing is masked.
 */
export function maskDivergent(rows: LossRows, limit: number | undefined): LossRows {
  if (limit === undefined) return rows;
  const mask = rows.mask.map((row, i) => {
    const logRatio = trainedSum(row, (t) => rows.oldLogp[i][t] - rows.logp[i][t]);
    const a = rows.advantages[i];
    const advantage = typeof a === "number" ? a : trainedSum(row, (t) => a[t]);
    const count = trainedSum(row, () => 1);
    return advantage < 0 && logRatio > limit * count ? new Uint8Array(row.length) : row;
  });
  return { ...rows, mask };
}

function trainedSum(mask: ArrayLike<number>, value: (t: number) => number): number {
  let sum = 0;
  for (let t = 0; t < mask.length; t++) {
    if (mask[t]) sum += value(t);
  }
  return sum;
}
