import type { Expression } from "./expression.ts";
import { symbolsOf } from "./expression.ts";
import { type Answer, parseAnswer } from "./parse_answer.ts";
import { parseExpression } from "./parse_expression.ts";
import { proportional } from "./same_expression.ts";

type Relation = Extract<Answer, { readonly kind: "relation" }>;

/** `x = v` or `f(x) = v` as its name and value, else null. */
export function unassigned(answer: Answer): { readonly name: string; readonly value: Answer } | null {
  if (answer.kind !== "relation" || answer.signs.length !== 1 || answer.signs[0] !== "=") return null;
  const [left, right] = answer.sides;
  const name = symbolOf(left);
  if (name === null) return null;
  const value = parseExpression(right);
  if (value !== null && symbolsOf(value).includes(name)) return null;
  return { name, value: parseAnswer(right) };
}

/** `x \ge 3`, `1 < x \le 2` as the interval of the named symbol; an interval as itself. */
export function toInterval(
  answer: Answer,
): { readonly name: string | null; readonly interval: Answer } | null {
  if (answer.kind === "tuple" || answer.kind === "union") return { name: null, interval: answer };
  if (answer.kind !== "relation") return null;
  const { sides, signs } = ascending(answer);
  if (!signs.every((sign) => sign === "<" || sign === "<=")) return null;
  const names = sides.map(symbolOf);
  const at = sides.length === 3 ? 1 : names[0] === null ? 1 : 0;
  const name = names[at];
  if (name === null || sides.length > 3) return null;
  const [low, high] = sides.length === 3
    ? [sides[0], sides[2]]
    : at === 1
    ? [sides[0], null]
    : [null, sides[1]];
  const [first, last] = [signs[0], signs[signs.length - 1]];
  return {
    name,
    interval: {
      kind: "tuple",
      open: low !== null && first === "<=" ? "[" : "(",
      close: high !== null && last === "<=" ? "]" : ")",
      items: [parseAnswer(low ?? "-\\infty"), parseAnswer(high ?? "\\infty")],
    },
  };
}

/** Whether two equations or inequalities of two sides say the same, up to a constant factor. */
export function sameRelation(answer: Relation, gold: Relation): boolean {
  const [a, g] = [ascending(answer), ascending(gold)];
  if (a.signs.length !== g.signs.length || a.signs.some((sign, i) => sign !== g.signs[i])) return false;
  const spelled = (sides: readonly string[]) => sides.map((side) => side.replace(/\s/g, "")).join("|");
  if (spelled(a.sides) === spelled(g.sides)) return true;
  if (a.sides.length !== 2) return false;
  const [x, y] = [difference(a.sides), difference(g.sides)];
  if (x === null || y === null) return false;
  return proportional(x, y, a.signs[0] !== "=" && a.signs[0] !== "!=");
}

function symbolOf(text: string): string | null {
  const e = parseExpression(text);
  return e?.op === "symbol" ? e.name : null;
}

function difference([left, right]: readonly string[]): Expression | null {
  const [a, b] = [parseExpression(left), parseExpression(right)];
  return a === null || b === null ? null : { op: "-", args: [a, b] };
}

/** The same relation with its signs pointing up: `<`, `<=`, `=`, `!=`. */
function ascending(
  { sides, signs }: Relation,
): { readonly sides: readonly string[]; readonly signs: readonly string[] } {
  if (!signs.every((sign) => sign === ">" || sign === ">=")) return { sides, signs };
  return { sides: sides.toReversed(), signs: signs.map((sign) => sign.replace(">", "<")).toReversed() };
}
