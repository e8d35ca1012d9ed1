import { Rng } from "../../stages/seed.ts";

/** Generated tasks of one run; runs with other seeds take other ones. */
const STRIDE = 1_000_000;

/**
 * Which training task stands at position `cursor` of the run with this seed.
 * Generated splits (`size` infinite) give every position a fresh task; a finite
 * split is shuffled anew each epoch. It depends on the arguments alone, so a
 * resumed run continues with the task that would have come next.
 */
export function trainIndex(cursor: number, seed: number, size: number): number {
  if (!Number.isFinite(size)) return (seed + 1) * STRIDE + cursor;
  if (size < 1) throw new RangeError("Cannot train on an empty split");
  const epoch = Math.floor(cursor / size);
  return epochOrder(epoch, seed, size)[cursor % size];
}

let memo: { readonly key: string; readonly order: readonly number[] } | undefined;

function epochOrder(epoch: number, seed: number, size: number): readonly number[] {
  const key = `${seed}/${epoch}/${size}`;
  if (memo?.key !== key) {
    memo = { key, order: new Rng(`order/${key}`).shuffle(Array.from({ length: size }, (_, i) => i)) };
  }
  return memo.order;
}
