/** Float32 buffers that are used again: fresh ones cost page faults and garbage collection at every turn. */
export class BufferPool {
  readonly #free = new Map<number, Float32Array[]>();

  /** A buffer of exactly `length` numbers, which hold anything finite. */
  take(length: number): Float32Array {
    return this.#free.get(length)?.pop() ?? new Float32Array(length);
  }

  /** Gives a buffer back, which nothing else uses any more. */
  give(buffer: Float32Array): void {
    const free = this.#free.get(buffer.length);
    if (free === undefined) this.#free.set(buffer.length, [buffer]);
    else free.push(buffer);
  }

  /** Forgets all buffers. */
  clear(): void {
    this.#free.clear();
  }
}
