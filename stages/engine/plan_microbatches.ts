/** Rows that share a forward pass: side by side, padded at the right to `time` tokens, or as a tree. */
export interface Microbatch {
  /** Indices of the rows, longest first. */
  readonly rows: readonly number[];
  readonly time: number;
  /**
   * Of a tree, which is one sequence of `time` tokens: where each row's tokens stand in
   * it, those that rows have in common at the same place.
   */
  readonly slots?: readonly Int32Array[];
}

/** Where token t of the micro-batch's b-th row stands among the `[batch, time]` that are fed. */
export function slotOf({ time, slots }: Microbatch, b: number, t: number): number {
  return slots === undefined ? b * time + t : slots[b][t];
}

/** Sequences that are fed. */
export function batchSize({ rows, slots }: Microbatch): number {
  return slots === undefined ? rows.length : 1;
}

/**
 * Splits rows into micro-batches of at most `tokenBudget` tokens, padding
 * included; a longer row gets one of its own. Rows of similar length meet, so
 * little is padded. Which rows meet depends on the lengths alone; rows of length
 * 0 are left out.
 */
export function planMicrobatches(lengths: readonly number[], tokenBudget: number): Microbatch[] {
  const order = lengths.map((_, row) => row)
    .filter((row) => lengths[row] > 0)
    .sort((a, b) => lengths[b] - lengths[a] || a - b);
  const batches: Microbatch[] = [];
  for (let i = 0; i < order.length;) {
    const time = lengths[order[i]];
    const count = Math.max(1, Math.floor(tokenBudget / time));
    batches.push({ rows: order.slice(i, i + count), time });
    i += count;
  }
  return batches;
}
