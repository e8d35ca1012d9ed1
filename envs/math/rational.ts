/** An exact fraction in lowest terms with a positive denominator. */
export interface Rational {
  readonly n: bigint;
  readonly d: bigint;
}

/** `n / d` in lowest terms; `d` must not be 0. */
export function rational(n: bigint, d = 1n): Rational {
  let [a, b] = [n < 0n ? -n : n, d < 0n ? -d : d];
  while (b !== 0n) [a, b] = [b, a % b];
  const divisor = a === 0n ? 1n : a;
  return d < 0n ? { n: -n / divisor, d: -d / divisor } : { n: n / divisor, d: d / divisor };
}

/** The value of a decimal literal, e.g. `.5`, `12.30`, `4e-3`. The exponent is at most 10,000. */
export function decimal(text: string): Rational | null {
  const match = /^(\d*)\.?(\d*)(?:[eE]([+-]?\d{1,5}))?$/.exec(text);
  if (match === null || match[1] + match[2] === "") return null;
  const exponent = Number(match[3] ?? 0) - match[2].length;
  if (Math.abs(exponent) > 10_000) return null;
  const digits = BigInt(match[1] + match[2]);
  return exponent < 0
    ? rational(digits, 10n ** BigInt(-exponent))
    : rational(digits * 10n ** BigInt(exponent));
}

/** The nearest double, also for very long fractions. */
export function toNumber({ n, d }: Rational): number {
  const sign = n < 0n ? -1 : 1;
  const magnitude = n < 0n ? -n : n;
  const shift = BigInt(Math.max(0, bits(d) - bits(magnitude) + 64));
  const quotient = (magnitude << shift) / d;
  const extra = Math.max(0, bits(quotient) - 1000);
  return sign * Number(quotient >> BigInt(extra)) * 2 ** (extra - Number(shift));
}

/** Length in bits, rounded up to a multiple of 4. */
export function bits(value: bigint): number {
  return value.toString(16).replace("-", "").length * 4;
}
