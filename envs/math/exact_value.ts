import type { Expression } from "./expression.ts";
import { bits, type Rational, rational } from "./rational.ts";

/** Largest exponent, factorial and length of a number in bits. */
const largestExponent = 10_000n;
const largestFactorial = 2000n;
const longest = 200_000;

/** The value of an expression in exact fractions, or null if it has none or it would be too long. */
export function exactValue(e: Expression): Rational | null {
  switch (e.op) {
    case "number":
      return e.value;
    case "symbol":
    case "constant":
      return null;
    case "call":
      return ofCall(e.name, e.args);
  }
  const a = exactValue(e.args[0]);
  const b = exactValue(e.args[1]);
  if (a === null || b === null) return null;
  if (e.op === "^") return power(a, b);
  if (bits(a.n) + bits(a.d) + bits(b.n) + bits(b.d) > longest) return null;
  switch (e.op) {
    case "+":
      return rational(a.n * b.d + b.n * a.d, a.d * b.d);
    case "-":
      return rational(a.n * b.d - b.n * a.d, a.d * b.d);
    case "*":
      return rational(a.n * b.n, a.d * b.d);
    case "/":
      return b.n === 0n ? null : rational(a.n * b.d, a.d * b.n);
  }
}

function power(base: Rational, exponent: Rational): Rational | null {
  const { n: k } = exponent;
  if (exponent.d !== 1n || k > largestExponent || k < -largestExponent) return null;
  if (base.n === 0n) return k > 0n ? base : null;
  if (Math.max(bits(base.n), bits(base.d)) * Number(k < 0n ? -k : k) > longest) return null;
  return k < 0n ? rational(base.d ** -k, base.n ** -k) : rational(base.n ** k, base.d ** k);
}

function ofCall(name: string, args: readonly Expression[]): Rational | null {
  const values = args.map(exactValue);
  const [a, b] = values;
  if (a === null || b === null) return null;
  switch (name) {
    case "abs":
      return a.n < 0n ? { n: -a.n, d: a.d } : a;
    case "floor":
      return rational(floor(a));
    case "ceil":
      return rational(-floor({ n: -a.n, d: a.d }));
    case "factorial":
      return a.d === 1n && a.n >= 0n && a.n <= largestFactorial ? rational(product(1n, a.n)) : null;
    case "binom": {
      if (a.d !== 1n || b.d !== 1n || b.n < 0n || a.n < b.n || a.n > largestFactorial) return null;
      return rational(product(a.n - b.n + 1n, a.n), product(1n, b.n));
    }
    default:
      return null;
  }
}

function floor({ n, d }: Rational): bigint {
  return n >= 0n || n % d === 0n ? n / d : n / d - 1n;
}

function product(from: bigint, to: bigint): bigint {
  let value = 1n;
  for (let k = from; k <= to; k++) value *= k;
  return value;
}
