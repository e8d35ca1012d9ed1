/** Sizes that all caches of a model share. */
export interface CacheShape {
  /** Two per layer: keys, then values. */
  readonly lanes: number;
  readonly kvHeads: number;
  readonly headDim: number;
}

/** Capacities are multiples of this many tokens. */
const BLOCK = 64;
/** A full cache grows by half, so that a long conversation is not copied at every turn. */
const GROWTH = 1.5;

/**
 * Keys and values of one sequence's first `length` tokens: per lane an array
 * [kvHeads, capacity, headDim] that grows by blocks.
 */
export class KeyValueCache {
  readonly #shape: CacheShape;
  readonly #ids: number[] = [];
  #lanes: Float32Array[];
  #capacity = 0;

  constructor(shape: CacheShape) {
    this.#shape = shape;
    this.#lanes = Array.from({ length: shape.lanes }, () => new Float32Array(0));
  }

  /** Number of tokens held. */
  get length(): number {
    return this.#ids.length;
  }

  /** Number of tokens at the start of `ids` that are held. */
  commonPrefix(ids: readonly number[]): number {
    const end = Math.min(ids.length, this.#ids.length);
    let n = 0;
    while (n < end && ids[n] === this.#ids[n]) n++;
    return n;
  }

  /** Forgets all but the first `length` tokens. */
  truncate(length: number): void {
    this.#ids.length = Math.min(this.#ids.length, length);
  }

  /** A copy of the first `length` tokens. */
  fork(length: number): KeyValueCache {
    const copy = new KeyValueCache(this.#shape);
    const { kvHeads, headDim } = this.#shape;
    copy.reserve(length);
    for (let lane = 0; lane < this.#shape.lanes; lane++) {
      copyRows(
        this.#lanes[lane],
        this.#capacity,
        0,
        copy.#lanes[lane],
        copy.#capacity,
        0,
        length,
        kvHeads,
        headDim,
      );
    }
    copy.#ids.push(...this.#ids.slice(0, length));
    return copy;
  }

  /** Makes room for `length` tokens. */
  reserve(length: number): void {
    if (length <= this.#capacity) return;
    const capacity = Math.ceil(Math.max(length, GROWTH * this.#capacity) / BLOCK) * BLOCK;
    const { kvHeads, headDim } = this.#shape;
    this.#lanes = this.#lanes.map((old) => {
      const lane = new Float32Array(kvHeads * capacity * headDim);
      copyRows(old, this.#capacity, 0, lane, capacity, 0, this.length, kvHeads, headDim);
      return lane;
    });
    this.#capacity = capacity;
  }

  /** Copies a lane into row `row` of a batch [rows, kvHeads, slots, headDim], from slot 0 on. */
  read(lane: number, batch: Float32Array, row: number, slots: number): void {
    const { kvHeads, headDim } = this.#shape;
    const target = batch.subarray(row * kvHeads * slots * headDim, (row + 1) * kvHeads * slots * headDim);
    copyRows(this.#lanes[lane], this.#capacity, 0, target, slots, 0, this.length, kvHeads, headDim);
  }

  /**
   * Copies slots [from, from + count) of row `row` of a batch [rows, kvHeads, slots,
   * headDim] behind what is held, `after` tokens on. The tokens count as held once
   * `append` names them; room must be reserved.
   */
  write(
    lane: number,
    batch: Float32Array,
    row: number,
    slots: number,
    from: number,
    count: number,
    after: number,
  ): void {
    const { kvHeads, headDim } = this.#shape;
    const source = batch.subarray(row * kvHeads * slots * headDim, (row + 1) * kvHeads * slots * headDim);
    copyRows(
      source,
      slots,
      from,
      this.#lanes[lane],
      this.#capacity,
      this.length + after,
      count,
      kvHeads,
      headDim,
    );
  }

  /** Counts the tokens that were written as held. */
  append(ids: readonly number[]): void {
    for (const id of ids) this.#ids.push(id);
  }
}

/** Copies `count` slots of every head between arrays [heads, slots, dim] of different numbers of slots. */
function copyRows(
  source: Float32Array,
  sourceSlots: number,
  sourceFrom: number,
  target: Float32Array,
  targetSlots: number,
  targetFrom: number,
  count: number,
  heads: number,
  dim: number,
): void {
  if (count === 0) return;
  for (let head = 0; head < heads; head++) {
    const start = (head * sourceSlots + sourceFrom) * dim;
    target.set(source.subarray(start, start + count * dim), (head * targetSlots + targetFrom) * dim);
  }
}
