import { numericValue } from "./numeric_value.ts";
import { exactValue } from "./exact_value.ts";
import { type Expression, symbolsOf } from "./expression.ts";
import type { Leaf } from "./parse_answer.ts";
import { parseExpression } from "./parse_expression.ts";
import { rational, toNumber } from "./rational.ts";
import type { MathOptions } from "./same_answer.ts";
import { sameExpression } from "./same_expression.ts";

/** Relative tolerance where one side is a decimal of six or more significant digits. */
const tolerance = 1e-6 * (1 + 1e-9);

/**
 * Whether two single values agree. A unit is ignored only if the gold answer has
 * none; `p%` is p/100. A decimal of six or more significant digits stands for every
 * value within 1e-6, unless the gold answer is a whole number.
 */
export function sameLeaf(answer: Leaf, gold: Leaf, options: MathOptions): boolean {
  if (gold.unit !== "" && answer.unit !== "" && answer.unit !== gold.unit) return false;
  const [a, g] = [spelling(answer.source), spelling(gold.source)];
  if (a === g && answer.percent === gold.percent) return true;
  const [x, y] = [parseExpression(answer.source), parseExpression(gold.source)];
  if (x === null || y === null) return false;
  if (
    options.percent && answer.percent && !gold.percent && exactValue(y) !== null && same(answer, x, gold, y)
  ) {
    return true;
  }
  return same(answer, answer.percent ? hundredth(x) : x, gold, gold.percent ? hundredth(y) : y);
}

function same(answer: Leaf, x: Expression, gold: Leaf, y: Expression): boolean {
  if (sameExpression(x, y)) return true;
  if (!isLongDecimal(answer.source) && !isLongDecimal(gold.source)) return false;
  if (symbolsOf(x, y).length > 0 || exactValue(y)?.d === 1n) return false;
  const [p, q] = [x, y].map((e) => {
    const exact = exactValue(e);
    if (exact !== null) return toNumber(exact);
    const { re, im, error } = numericValue(e, new Map());
    return Math.abs(im) <= 16 * error ? re : NaN;
  });
  return Math.abs(p - q) <= tolerance * Math.max(Math.abs(p), Math.abs(q));
}

function hundredth(e: Expression): Expression {
  return { op: "/", args: [e, { op: "number", value: rational(100n) }] };
}

function isLongDecimal(source: string): boolean {
  const match = /^[-+]?\s*(\d*)\.(\d+)$/.exec(source);
  return match !== null && (match[1] + match[2]).replace(/^0+/, "").length >= 6;
}

/** One spelling for the same text: no spaces, no braces around single characters. */
function spelling(source: string): string {
  return source.replace(/\s+/g, "").replace(/\{([A-Za-z0-9])\}/g, "$1").replace(/^\+(?=\\infty|\d)/, "");
}
