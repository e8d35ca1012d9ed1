import type { Rational } from "./rational.ts";

/** Functions that an expression may call. */
export const functionNames = [
  "sin",
  "cos",
  "tan",
  "cot",
  "sec",
  "csc",
  "arcsin",
  "arccos",
  "arctan",
  "sinh",
  "cosh",
  "tanh",
  "ln",
  "log",
  "exp",
  "sqrt",
  "abs",
  "floor",
  "ceil",
  "factorial",
  "binom",
  "root",
] as const;

/** A name in {@link functionNames}. */
export type FunctionName = typeof functionNames[number];

/** An expression as a tree. */
export type Expression =
  | { readonly op: "number"; readonly value: Rational }
  | { readonly op: "symbol"; readonly name: string }
  | { readonly op: "constant"; readonly name: "pi" | "e" | "i" }
  | { readonly op: "+" | "-" | "*" | "/" | "^"; readonly args: readonly [Expression, Expression] }
  | { readonly op: "call"; readonly name: FunctionName; readonly args: readonly Expression[] };

/** Names of the symbols in an expression, sorted. */
export function symbolsOf(...expressions: readonly Expression[]): readonly string[] {
  const names = new Set<string>();
  const visit = (e: Expression) => {
    if (e.op === "symbol") names.add(e.name);
    if ("args" in e) e.args.forEach(visit);
  };
  expressions.forEach(visit);
  return [...names].sort();
}

/** True if a function of whole numbers is called, so that symbols stand for whole numbers. */
export function isDiscrete(e: Expression): boolean {
  if (e.op === "call" && ["floor", "ceil", "factorial", "binom"].includes(e.name)) return true;
  if (e.op === "^" && e.args[0].op === "-" && symbolsOf(e.args[1]).length > 0) return true;
  return "args" in e && e.args.some(isDiscrete);
}
