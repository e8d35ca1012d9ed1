import { FileError } from "../../stages/errors.ts";
import { printSExpression, type SExpression } from "./s_expression.ts";
import { parseTypedList, type Typed } from "./typed_list.ts";

/** A predicate applied to variables (`?x`) and constants; `=` is a predicate too. */
export interface Atom {
  readonly predicate: string;
  readonly terms: readonly string[];
}

/** A condition of the PDDL subset. */
export type Formula =
  | ({ readonly kind: "atom" } & Atom)
  | { readonly kind: "not"; readonly body: Formula }
  | { readonly kind: "and" | "or"; readonly parts: readonly Formula[] }
  | { readonly kind: "exists" | "forall"; readonly variables: readonly Typed[]; readonly body: Formula };

/**
 * Reads a condition; the empty list is true.
 *
 * @throws FileError that shows the expression it cannot read.
 */
export function parseFormula(expression: SExpression | undefined, source: string): Formula {
  const fail = (why: string) =>
    new FileError({ path: source, reason: `${why}: ${printSExpression(expression)}` });
  if (expression === undefined || typeof expression === "string") throw fail("expected a condition");
  if (expression.length === 0) return { kind: "and", parts: [] };
  const [head, ...rest] = expression;
  if (head === "and" || head === "or") {
    return { kind: head, parts: rest.map((part) => parseFormula(part, source)) };
  }
  if (head === "not") {
    if (rest.length !== 1) throw fail("`not` takes one condition");
    return { kind: "not", body: parseFormula(rest[0], source) };
  }
  if (head === "exists" || head === "forall") {
    if (rest.length !== 2 || typeof rest[0] === "string") {
      throw fail(`\`${head}\` takes variables and a condition`);
    }
    return {
      kind: head,
      variables: parseTypedList(rest[0], source),
      body: parseFormula(rest[1], source),
    };
  }
  return { kind: "atom", ...parseAtom(expression, source) };
}

/** Reads `(predicate term ...)`. */
export function parseAtom(expression: SExpression, source: string): Atom {
  if (
    typeof expression === "string" || expression.length === 0 || expression.some((e) => typeof e !== "string")
  ) throw new FileError({ path: source, reason: `expected an atom: ${printSExpression(expression)}` });
  const [predicate, ...terms] = expression as readonly string[];
  return { predicate, terms };
}
