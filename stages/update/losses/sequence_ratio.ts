import type { LossRows } from "../loss.ts";

/** Geometric mean of the importance ratios of row `i`'s trained tokens; 1 if there are none. */
export function sequenceRatio(rows: LossRows, i: number): number {
  let sum = 0;
  let count = 0;
  for (let t = 0; t < rows.mask[i].length; t++) {
    if (rows.mask[i][t]) {
      sum += rows.logp[i][t] - rows.oldLogp[i][t];
      count++;
    }
  }
  return count === 0 ? 1 : Math.exp(sum / count);
}
