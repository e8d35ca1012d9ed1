import { commonPrefix } from "../../../engine/common_prefix.ts";
import type { BufferPool } from "./buffer_pool.ts";

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
 * Keys and values of one sequence's first `length` tokens: [lanes, kvHeads,
 * capacity, headDim], growing by blocks.
 */
export class KeyValueCache {
  readonly #shape: CacheShape;
  readonly #pool: BufferPool;
  readonly #ids: number[] = [];
  #data: Float32Array = new Float32Array(0);
  #capacity = 0;
  #cuts = 0;

  constructor(shape: CacheShape, pool: BufferPool) {
    this.#shape = shape;
    this.#pool = pool;
  }

  /** Number of tokens held. */
  get length(): number {
    return this.#ids.length;
  }

  /** Number of times that held tokens were forgotten; unchanged, what was read before still holds. */
  get cuts(): number {
    return this.#cuts;
  }

  /** Number of tokens at the start of `ids` that are held. */
  commonPrefix(ids: readonly number[]): number {
    return commonPrefix(ids, this.#ids);
  }

  /** Forgets all but the first `length` tokens. */
  truncate(length: number): void {
    if (length >= this.#ids.length) return;
    this.#ids.length = length;
    this.#cuts++;
  }

  /** Forgets everything and gives the memory back to the pool. */
  release(): void {
    this.truncate(0);
    if (this.#capacity > 0) this.#pool.give(this.#data);
    this.#data = new Float32Array(0);
    this.#capacity = 0;
  }

  /** A copy of the first `length` tokens. */
  fork(length: number): KeyValueCache {
    const copy = new KeyValueCache(this.#shape, this.#pool);
    copy.reserve(length);
    this.#copyTo(copy.#data, copy.#capacity, length);
    copy.append(this.#ids.slice(0, length));
    return copy;
  }

  /** Makes room for `length` tokens. */
  reserve(length: number): void {
    if (length <= this.#capacity) return;
    const { lanes, kvHeads, headDim } = this.#shape;
    const capacity = Math.ceil(Math.max(length, GROWTH * this.#capacity) / BLOCK) * BLOCK;
    const data = this.#pool.take(lanes * kvHeads * capacity * headDim);
    this.#copyTo(data, capacity, this.length);
    if (this.#capacity > 0) this.#pool.give(this.#data);
    this.#data = data;
    this.#capacity = capacity;
  }

  /**
   * Copies a lane's tokens from the `from`-th on into row `row` of a batch [rows,
   * kvHeads, slots, headDim], each into the slot of its number.
   */
  read(lane: number, batch: Float32Array, row: number, slots: number, from: number): void {
    const { kvHeads, headDim } = this.#shape;
    for (let head = 0; head < kvHeads; head++) {
      const start = (lane * kvHeads + head) * this.#capacity * headDim;
      batch.set(
        this.#data.subarray(start + from * headDim, start + this.length * headDim),
        ((row * kvHeads + head) * slots + from) * headDim,
      );
    }
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
    if (count === 0) return;
    const { kvHeads, headDim } = this.#shape;
    for (let head = 0; head < kvHeads; head++) {
      const start = ((row * kvHeads + head) * slots + from) * headDim;
      const slot = (lane * kvHeads + head) * this.#capacity + this.length + after;
      this.#data.set(batch.subarray(start, start + count * headDim), slot * headDim);
    }
  }

  /** Counts the tokens that were written as held. */
  append(ids: readonly number[]): void {
    for (const id of ids) this.#ids.push(id);
  }

  /** Copies `length` tokens of every lane into an array of another capacity. */
  #copyTo(target: Float32Array, capacity: number, length: number): void {
    if (length === 0) return;
    const { lanes, kvHeads, headDim } = this.#shape;
    for (let head = 0; head < lanes * kvHeads; head++) {
      const start = head * this.#capacity * headDim;
      target.set(this.#data.subarray(start, start + length * headDim), head * capacity * headDim);
    }
  }
}
