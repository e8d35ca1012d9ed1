import { uniformAt } from "../../stages/seed.ts";
import { add, type Complex, complex, divide, size, subtract } from "./complex.ts";
import { exactValue } from "./exact_value.ts";
import { type Expression, isDiscrete, symbolsOf } from "./expression.ts";
import { numericValue } from "./numeric_value.ts";
import { type Rational, rational } from "./rational.ts";

/** Points at which expressions are compared, of each sign. */
const points = 12;
/** Fewest points at which both must have a value. */
const fewest = 4;

/**
 * Whether two expressions have the same value: in exact fractions if both have one,
 * else by evaluation. What both sums share is cancelled first; then the rest must
 * agree to 1e-9 relative at fixed pseudo-random points: positive ones, and
 * negative ones where both sides are real. Symbols under `floor`, factorials and the
 * like take whole numbers. Two different expressions agree by chance practically never.
 */
export function sameExpression(a: Expression, b: Expression): boolean {
  const [x, y] = [exactValue(a), exactValue(b)];
  if (x !== null && y !== null) return x.n === y.n && x.d === y.d;
  const [left, right] = cancel(a, b);
  return agree(a, b, (at) => {
    const p = total(left, at);
    const q = total(right, at);
    return { value: close(p, q) ? 1 : 0, real: isReal(p) && isReal(q), known: isFinite(p) && isFinite(q) };
  });
}

/**
 * Whether `left1 - right1` is a constant multiple of `left2 - right2`, so that
 * both equations say the same; `positive` asks for a positive multiple, as
 * inequalities do.
 */
export function proportional(a: Expression, b: Expression, positive = false): boolean {
  let ratio: Complex | null = null;
  if (symbolsOf(a).length === 0 || symbolsOf(b).length === 0) return false;
  return agree(a, b, (at) => {
    const p = numericValue(a, at);
    const q = numericValue(b, at);
    const known = isFinite(p) && isFinite(q) && size(p) > 1e3 * p.error && size(q) > 1e3 * q.error;
    if (!known) return { value: 0, real: true, known };
    const now = divide(p, q);
    ratio ??= now;
    const same = close(now, ratio) && (!positive || (now.re > 0 && isReal(now)));
    return { value: same ? 1 : 0, real: isReal(p) && isReal(q), known };
  });
}

interface Sample {
  /** 1 if the sides agree. */
  readonly value: 0 | 1;
  readonly real: boolean;
  readonly known: boolean;
}

function agree(a: Expression, b: Expression, compare: (at: ReadonlyMap<string, number>) => Sample): boolean {
  const symbols = symbolsOf(a, b);
  const discrete = isDiscrete(a) || isDiscrete(b);
  if (symbols.length === 0) {
    const { value, known } = compare(new Map());
    return known && value === 1;
  }
  let seen = 0;
  for (let k = 0; k < 2 * points; k++) {
    const negative = k >= points;
    if (negative && discrete) break;
    const at = new Map(symbols.map((name, j) => [name, coordinate(k, j, discrete, negative)]));
    const { value, real, known } = compare(at);
    if (!known || (negative && !real)) continue;
    if (value === 0) return false;
    if (!negative) seen++;
  }
  return seen >= fewest;
}

function coordinate(point: number, symbol: number, discrete: boolean, negative: boolean): number {
  const u = uniformAt(`math/point/${point}`, symbol);
  if (discrete) return 1 + Math.floor(u * 30);
  // Small values too, for functions that are real only below 1.
  const value = point % 3 === 0 ? 0.05 + 0.9 * u : 0.3 + 3.1 * u;
  return negative && uniformAt(`math/sign/${point}`, symbol) < 0.6 ? -value : value;
}

function close(p: Complex, q: Complex): boolean {
  const scale = Math.max(size(p), size(q));
  return size(subtract(p, q)) <= 1e-9 * scale + 16 * Math.min(p.error + q.error, 1e-6 * Math.max(scale, 1));
}

function isReal(z: Complex): boolean {
  return Math.abs(z.im) <= 1e-12 * Math.max(1, Math.abs(z.re)) + 16 * z.error;
}

function isFinite(z: Complex): boolean {
  return Number.isFinite(z.re) && Number.isFinite(z.im) && Number.isFinite(z.error);
}

interface Term {
  readonly negative: boolean;
  readonly value: Expression;
}

/** The terms of both sums less those they share, with the exact ones joined on the left. */
function cancel(a: Expression, b: Expression): readonly [readonly Term[], readonly Term[]] {
  const left: Term[] = [];
  const rest = termsOf(b, false);
  let exact: Rational = rational(0n);
  const keyed = rest.map((t) => key(t));
  for (const term of termsOf(a, false)) {
    const at = keyed.indexOf(key(term));
    if (at < 0) left.push(term);
    else {
      keyed.splice(at, 1);
      rest.splice(at, 1);
    }
  }
  const keep = (terms: readonly Term[], sign: bigint) =>
    terms.filter(({ negative, value }) => {
      const v = exactValue(value);
      if (v === null) return true;
      const s = negative ? -sign : sign;
      exact = rational(exact.n * v.d + s * v.n * exact.d, exact.d * v.d);
      return false;
    });
  const [l, r] = [keep(left, 1n), keep(rest, -1n)];
  return [exact.n === 0n ? l : [...l, { negative: false, value: { op: "number", value: exact } }], r];
}

function termsOf(e: Expression, negative: boolean): Term[] {
  if (e.op !== "+" && e.op !== "-") return [{ negative, value: e }];
  return [...termsOf(e.args[0], negative), ...termsOf(e.args[1], e.op === "-" ? !negative : negative)];
}

function key({ negative, value }: Term): string {
  return negative + JSON.stringify(value, (_, v) => typeof v === "bigint" ? v.toString(36) : v);
}

function total(terms: readonly Term[], at: ReadonlyMap<string, number>): Complex {
  return terms.reduce((sum, { negative, value }) => {
    const v = numericValue(value, at);
    return negative ? subtract(sum, v) : add(sum, v);
  }, complex(0));
}
