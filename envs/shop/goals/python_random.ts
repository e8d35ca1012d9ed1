/**
 * CPython's `random.Random(seed)` as far as goals need it: MT19937 seeded with a
 * small whole number, `getrandbits`, and `shuffle`. The original orders its goals
 * by `random.seed(233); random.shuffle(goals)`, and their indices name its splits.
 */
export class PythonRandom {
  readonly #state = new Uint32Array(SIZE);
  #next = SIZE;

  /** `seed` is in [0, 2³²). */
  constructor(seed: number) {
    const state = this.#state;
    state[0] = 19650218;
    for (let i = 1; i < SIZE; i++) state[i] = Math.imul(1812433253, mixed(state, i)) + i;
    let i = 1;
    for (let k = 0; k < SIZE; k++) {
      state[i] = (state[i] ^ Math.imul(mixed(state, i), 1664525)) + seed;
      i = this.#wrap(i + 1);
    }
    for (let k = 1; k < SIZE; k++) {
      state[i] = (state[i] ^ Math.imul(mixed(state, i), 1566083941)) - i;
      i = this.#wrap(i + 1);
    }
    state[0] = 0x80000000;
  }

  /** The next `bits` ≤ 32 bits. */
  bits(bits: number): number {
    if (this.#next === SIZE) this.#twist();
    let y = this.#state[this.#next++];
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    y ^= y >>> 18;
    return y >>> (32 - bits);
  }

  /** A uniform whole number in [0, n), 0 < n < 2³². */
  below(n: number): number {
    const bits = 32 - Math.clz32(n);
    let value = this.bits(bits);
    while (value >= n) value = this.bits(bits);
    return value;
  }

  /** A shuffled copy. */
  shuffle<T>(items: readonly T[]): T[] {
    const out = [...items];
    for (let i = out.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [out[i], out[j]] = [out[j], out[i]];
    }
    return out;
  }

  #wrap(i: number): number {
    if (i < SIZE) return i;
    this.#state[0] = this.#state[SIZE - 1];
    return 1;
  }

  #twist(): void {
    const state = this.#state;
    for (let i = 0; i < SIZE; i++) {
      const y = (state[i] & 0x80000000) | (state[(i + 1) % SIZE] & 0x7fffffff);
      state[i] = state[(i + 397) % SIZE] ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
    }
    this.#next = 0;
  }
}

const SIZE = 624;

/** The number before `i`, its upper bits mixed in. */
function mixed(state: Uint32Array, i: number): number {
  return state[i - 1] ^ (state[i - 1] >>> 30);
}
