/** Remembers what a pure function returned for recent keys; the oldest key is forgotten first. */
export class Memo<T> {
  readonly #values = new Map<string, T>();
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** The remembered value, or `make`'s, which is then remembered. */
  get(key: string, make: () => T): T {
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const value = make();
    if (this.#values.size >= this.#capacity) {
      for (const oldest of this.#values.keys()) {
        this.#values.delete(oldest);
        break;
      }
    }
    this.#values.set(key, value);
    return value;
  }
}
