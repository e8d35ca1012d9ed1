import type { CacheShape, KeyValueCache } from "./key_value_cache.ts";

/** Slots are rounded up to this, so that few shapes occur and a batch that goes on is seldom packed anew. */
const BLOCK = 32;

interface PackedRow {
  readonly cache: KeyValueCache;
  readonly cuts: number;
  readonly length: number;
}

/**
 * The caches of a batch side by side, as a graph reads them: for each lane
 * [rows, kvHeads, slots, headDim]. A row that held the same cache before gets only
 * the tokens that were added since. Slots beyond a row's tokens hold anything finite.
 */
export class PackedPast {
  readonly #shape: CacheShape;
  #lanes: Float32Array[] = [];
  #rows: PackedRow[] = [];
  #slots = 0;

  constructor(shape: CacheShape) {
    this.#shape = shape;
  }

  /** Packs the caches; the arrays hold until the next call. */
  pack(caches: readonly KeyValueCache[]): { readonly slots: number; readonly lanes: Float32Array[] } {
    const { lanes, kvHeads, headDim } = this.#shape;
    const slots = Math.ceil(Math.max(...caches.map((cache) => cache.length)) / BLOCK) * BLOCK;
    const size = caches.length * kvHeads * slots * headDim;
    if (this.#lanes.length === 0 || this.#lanes[0].length < size) {
      this.#lanes = Array.from({ length: lanes }, () => new Float32Array(size));
      this.#rows = [];
    }
    if (slots !== this.#slots) this.#rows = [];
    this.#slots = slots;
    caches.forEach((cache, i) => {
      const before = this.#rows[i];
      const same = before !== undefined && before.cache === cache && before.cuts === cache.cuts;
      const from = same ? before.length : 0;
      this.#rows[i] = { cache, cuts: cache.cuts, length: cache.length };
      if (from === cache.length) return;
      for (let lane = 0; lane < lanes; lane++) cache.read(lane, this.#lanes[lane], i, slots, from);
    });
    return { slots, lanes: this.#lanes.map((lane) => lane.subarray(0, size)) };
  }

  /** Forgets everything. */
  clear(): void {
    this.#lanes = [];
    this.#rows = [];
  }
}
