import { FileError } from "../../stages/errors.ts";

/** A parsed list or word of a Lisp-like file. */
export type SExpression = string | readonly SExpression[];

const maxLength = 1 << 24;
const maxDepth = 200;

/**
 * Reads every expression of a PDDL text: lower case, `;` comments dropped.
 *
 * @param source Where the text is from, for the error.
 * @throws FileError on unbalanced or too deep brackets, or a text above 16 MB.
 */
export function parseSExpressions(text: string, source: string): SExpression[] {
  const fail = (reason: string) => new FileError({ path: source, reason });
  if (text.length > maxLength) throw fail(`${text.length} characters, at most ${maxLength} are read`);
  const tokens = text.replace(/;[^\n]*/g, "").toLowerCase().match(/[()]|[^\s()]+/g) ?? [];
  const stack: SExpression[][] = [[]];
  for (const token of tokens) {
    if (token === "(") {
      if (stack.length > maxDepth) throw fail(`brackets nested deeper than ${maxDepth}`);
      stack.push([]);
    } else if (token === ")") {
      const list = stack.pop()!;
      if (stack.length === 0) throw fail("a closing bracket too many");
      stack[stack.length - 1].push(list);
    } else stack[stack.length - 1].push(token);
  }
  if (stack.length > 1) throw fail(`${stack.length - 1} bracket(s) not closed at the end of the text`);
  return stack[0];
}

/** Prints an expression for an error message, cut to 80 characters. */
export function printSExpression(expression: SExpression | undefined): string {
  const print = (e: SExpression | undefined): string =>
    e === undefined ? "nothing" : typeof e === "string" ? e : `(${e.map(print).join(" ")})`;
  const text = print(expression);
  return text.length > 80 ? text.slice(0, 77) + "..." : text;
}
