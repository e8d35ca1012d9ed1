import { batchSize, type Microbatch, slotOf } from "./plan_microbatches.ts";

/** One row with the positions that are asked for. */
export interface PackableRow {
  readonly ids: readonly number[];
  /** Tokens t ≥ 1, ascending, whose log-probability is wanted. */
  readonly wanted: readonly number[];
  /** ∂J/∂logp and ∂J/∂H by token. */
  readonly weights?: ArrayLike<number>;
  readonly entropyWeights?: ArrayLike<number>;
  readonly divergenceWeights?: ArrayLike<number>;
  /** Non-zero at the wanted tokens that another model's distributions are given for. */
  readonly compared?: ArrayLike<number>;
}

/** A micro-batch as flat arrays. P positions, padded to a multiple of the head's chunk. */
export interface PackedRows {
  /** [batch, time]: what is fed; a row's last token predicts nothing and stays out. */
  readonly ids: Int32Array;
  /** [P] flat positions, and [batch·time] the way back (P where a position was not selected). */
  readonly index: Int32Array;
  readonly inverse: Int32Array;
  /** [P] the tokens that follow. */
  readonly target: Int32Array;
  readonly weight: Float32Array;
  readonly entropyWeight: Float32Array;
}

/**
 * Packs the rows of a micro-batch, padded at the right with id 0. Entry i of
 * `index` belongs to the i-th wanted token, row by row in the order of the
 * micro-batch; entries that only fill the last chunk have weight 0.
 */
export function packRows(
  rows: readonly PackableRow[],
  batch: Microbatch,
  chunk = 1,
): PackedRows {
  const members = batch.rows;
  const fed = batchSize(batch) * batch.time;
  const count = members.reduce((sum, r) => sum + rows[r].wanted.length, 0);
  const padded = Math.ceil(count / chunk) * chunk;
  const ids = new Int32Array(fed);
  const index = new Int32Array(padded);
  const inverse = new Int32Array(fed).fill(padded);
  const target = new Int32Array(padded);
  const weight = new Float32Array(padded);
  const entropyWeight = new Float32Array(padded);
  let i = 0;
  members.forEach((r, b) => {
    const row = rows[r];
    for (let t = 0; t < row.ids.length - 1; t++) ids[slotOf(batch, b, t)] = row.ids[t];
    for (const t of row.wanted) {
      const position = slotOf(batch, b, t - 1);
      index[i] = position;
      inverse[position] = i;
      target[i] = row.ids[t];
      weight[i] = row.weights?.[t] ?? 0;
      entropyWeight[i] = row.entropyWeights?.[t] ?? 0;
      i++;
    }
  });
  return { ids, index, inverse, target, weight, entropyWeight };
}
