/**
 * The facts of one predicate that no action changes, sorted by their arguments
 * and indexed by each argument position. Arguments are object ids.
 */
export class FactTable {
  readonly tuples: readonly (readonly number[])[];
  readonly #keys: Set<number>;
  readonly #index: Map<number, (readonly number[])[]>[];

  /** @param base Number of objects: a tuple's key is its digits in this base. */
  constructor(keys: Iterable<number>, readonly arity: number, readonly base: number) {
    const sorted = [...new Set(keys)].sort((a, b) => a - b);
    this.#keys = new Set(sorted);
    this.tuples = sorted.map((key) => unpack(key, arity, base));
    this.#index = Array.from({ length: arity }, (_, position) => {
      const byValue = new Map<number, (readonly number[])[]>();
      for (const tuple of this.tuples) {
        const bucket = byValue.get(tuple[position]);
        if (bucket) bucket.push(tuple);
        else byValue.set(tuple[position], [tuple]);
      }
      return byValue;
    });
  }

  has(key: number): boolean {
    return this.#keys.has(key);
  }

  /** Tuples whose argument at `position` is `value`, in order. */
  at(position: number, value: number): readonly (readonly number[])[] {
    return this.#index[position].get(value) ?? [];
  }

  /** Number of different arguments at `position`. */
  distinct(position: number): number {
    return this.#index[position].size;
  }
}

/** The arguments behind a key. */
export function unpack(key: number, arity: number, base: number): number[] {
  const out = new Array<number>(arity);
  for (let i = arity - 1; i >= 0; i--) {
    out[i] = key % base;
    key = Math.floor(key / base);
  }
  return out;
}
