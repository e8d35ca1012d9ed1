import { Rng } from "../../stages/seed.ts";
import type { SupervisedRow } from "./lesson_row.ts";

/**
 * Shuffles rows and cuts them into batches of `size` of similar length: shuffled
 * pools of `8 * size` rows are sorted by length, then cut, and the batches are
 * shuffled. The last one may be smaller; no row is dropped.
 */
export function supervisedBatches(
  rows: readonly SupervisedRow[],
  size: number,
  seed: string,
): readonly (readonly SupervisedRow[])[] {
  const rng = new Rng(seed);
  const order = rng.shuffle(rows);
  const batches: SupervisedRow[][] = [];
  for (let i = 0; i < order.length; i += size * 8) {
    const pool = order.slice(i, i + size * 8).sort((a, b) => a.ids.length - b.ids.length);
    for (let j = 0; j < pool.length; j += size) batches.push(pool.slice(j, j + size));
  }
  return rng.shuffle(batches);
}
