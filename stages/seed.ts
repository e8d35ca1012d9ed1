/**
 * Random numbers addressed by coordinates. A run needs no generator state: the
 * number for "seed 7, task 12, attempt 3, turn 5, token 2" is a hash of exactly
 * that, whoever asks and in whatever order.
 *
 * @module
 */

/** FNV-1a over UTF-16 code units with Murmur3's finaliser: 32 bits from a text. */
export function hash32(text: string): number {
  let h = 2166136261;
  for (let i = 0; i < text.length; i++) {
    h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  }
  return mix32(h);
}

/** Murmur3's 32-bit finaliser: every input bit changes every output bit half of the time. */
export function mix32(value: number): number {
  let h = value >>> 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Joins coordinates into the text that addresses a stream of random numbers: `7/12/3/5`. */
export function seedPath(...coordinates: readonly (string | number)[]): string {
  return coordinates.join("/");
}

/** The `index`-th uniform number in [0, 1) of the stream addressed by `seed` (24 bits, exact in float32). */
export function uniformAt(seed: string | number, index: number): number {
  const h = typeof seed === "number" ? seed : hash32(seed);
  return (mix32(h + Math.imul(index + 1, 0x9e3779b9)) >>> 8) / 0x1000000;
}

/** A generator over one addressed stream, for code that draws many numbers in a fixed order. */
export class Rng {
  readonly #seed: string;
  readonly #hash: number;
  #index = 0;

  constructor(seed: string | number) {
    this.#seed = String(seed);
    this.#hash = hash32(this.#seed);
  }

  /** A stream of its own for `label`: adding a draw in one does not move the other. */
  fork(label: string): Rng {
    return new Rng(`${this.#seed}/${label}`);
  }

  /** Uniform in [0, 1). */
  uniform(): number {
    return uniformAt(this.#hash, this.#index++);
  }

  /** Uniform integer in [0, n). */
  int(n: number): number {
    return Math.floor(this.uniform() * n);
  }

  /** True with probability `p`. */
  chance(p: number): boolean {
    return this.uniform() < p;
  }

  /** Standard normal (Box-Muller; two uniforms a draw). */
  normal(): number {
    const u = 1 - this.uniform();
    return Math.sqrt(-2 * Math.log(u)) * Math.cos(2 * Math.PI * this.uniform());
  }

  /** One of `items`, uniformly. Throws RangeError if there is none. */
  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError("Cannot pick from an empty list");
    return items[this.int(items.length)];
  }

  /** One of `items`, with probability proportional to `weights`. */
  weighted<T>(items: readonly T[], weights: readonly number[]): T {
    let u = this.uniform() * weights.reduce((a, b) => a + b, 0);
    for (let i = 0; i < items.length; i++) {
      u -= weights[i];
      if (u < 0) return items[i];
    }
    return items[items.length - 1];
  }

  /** A shuffled copy (Fisher-Yates). */
  shuffle<T>(items: readonly T[]): T[] {
    const out = [...items];
    for (let i = out.length - 1; i > 0; i--) {
      const j = this.int(i + 1);
      [out[i], out[j]] = [out[j], out[i]];
    }
    return out;
  }
}
