import type { Distributions } from "./engine.ts";
import type { PackableRow } from "./pack_rows.ts";
import type { Microbatch } from "./plan_microbatches.ts";

/** Another model's side of a micro-batch; P positions in the order of `packRows`. */
export interface PackedAgainst {
  /** [P, features]; zeros where nothing is compared. */
  readonly hidden: Float32Array<ArrayBuffer>;
  /** [P] ∂J/∂KL. */
  readonly weight: Float32Array<ArrayBuffer>;
}

/** Packs the hidden states of a micro-batch's compared tokens, found by their order within the row. */
export function packAgainst(
  rows: readonly PackableRow[],
  { rows: members }: Microbatch,
  { head, hidden }: Distributions,
  positions: number,
): PackedAgainst {
  const features = head.shape[1];
  const packed = new Float32Array(positions * features);
  const weight = new Float32Array(positions);
  let i = 0;
  for (const r of members) {
    const { wanted, compared, divergenceWeights } = rows[r];
    let k = 0;
    for (const t of wanted) {
      if (compared?.[t]) {
        packed.set(hidden[r].subarray(k * features, (k + 1) * features), i * features);
        weight[i] = divergenceWeights?.[t] ?? 0;
        k++;
      }
      i++;
    }
  }
  return { hidden: packed, weight };
}
