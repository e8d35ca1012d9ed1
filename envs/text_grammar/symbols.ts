import { FileError } from "../../stages/errors.ts";

/** A variable of a query and the type its value must have. */
export interface QueryTerm {
  readonly name: string;
  readonly type: string;
}

/** One fact pattern of a query; all must match at once. */
export interface QueryAtom {
  readonly predicate: string;
  readonly terms: readonly QueryTerm[];
}

/** What an expression between braces evaluates to. */
export type Expression =
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "field"; readonly variable: string; readonly field: string }
  | { readonly kind: "sum" | "or"; readonly parts: readonly Expression[] };

/** A piece of a right-hand side. */
export type Symbol =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "rule"; readonly name: string }
  | {
    /** `{expression | query}`: one item per solution; with brackets around, an enumeration. */
    readonly kind: "items";
    readonly item: Expression | { readonly kind: "rule"; readonly name: string };
    readonly query: readonly QueryAtom[] | undefined;
    readonly list: boolean;
  };

const bracketed =
  /^\[\{([^|{}]*)(?:\|([^{}]*))?\}\]|^\{([^|{}]*)(?:\|([^{}]*))?\}|^\[([^|{}[\]]+)\|([^{}[\]]*)\]/;

/**
 * Reads a right-hand side: text, `#rule#`, `{expression}`, `{expression | query}`,
 * `[{expression | query}]`, and `[{...}]` written without braces.
 *
 * @throws FileError that shows the expression it cannot read.
 */
export function parseSymbols(text: string, source: string): Symbol[] {
  const out: Symbol[] = [];
  for (let i = skip(text, 0); i < text.length; i = skip(text, i)) {
    const rest = text.slice(i);
    let match = bracketed.exec(rest);
    if (match) {
      const expression = (match[1] ?? match[3] ?? match[5]).trim();
      const query = match[2] ?? match[4] ?? match[6];
      const rule = /^#([^#]+)#$/.exec(expression);
      out.push({
        kind: "items",
        item: rule ? { kind: "rule", name: rule[1] } : parseExpression(expression, source),
        query: query === undefined ? undefined : parseQuery(query, source),
        list: rest[0] === "[",
      });
    } else if ((match = /^#([^#]+)#/.exec(rest))) out.push({ kind: "rule", name: match[1] });
    else {
      match = /^[^[{#]+|^./s.exec(rest)!;
      out.push({ kind: "text", text: match[0] });
    }
    i += match[0].length;
  }
  return out;
}

/**
 * TextWorld's reader passes over tabs before a symbol and, where a symbol begins
 * a line, over white space and `//` comments: hence no blank line before `help`.
 */
function skip(text: string, start: number): number {
  for (let i = start;;) {
    const before = i;
    while (text[i] === "\t") i++;
    if (i === 0 || text[i - 1] === "\n") i += /^(?:\/\/.*|\s*)\n?/.exec(text.slice(i))![0].length;
    if (i === before) return i;
  }
}

/** Reads `pred(x:type, y:type) & ...`. */
export function parseQuery(text: string, source: string): QueryAtom[] {
  return text.split("&").map((part) => {
    const match = /^\s*([\w-]+)\s*\(([^)]*)\)\s*$/.exec(part);
    const terms = match?.[2].split(",").map((t) => /^\s*([\w-]+)\s*:\s*([\w-]+)\s*$/.exec(t));
    if (!match || !terms || terms.some((t) => t === null)) {
      throw new FileError({ path: source, reason: `cannot read the query "${text.trim()}"` });
    }
    return { predicate: match[1], terms: terms.map((t) => ({ name: t![1], type: t![2] })) };
  });
}

function parseExpression(text: string, source: string): Expression {
  const parts = text.split(" + ");
  if (parts.length > 1) return { kind: "sum", parts: parts.map((p) => parseExpression(p.trim(), source)) };
  const quoted = /^'([^']*)'$/.exec(text);
  if (quoted) return { kind: "literal", text: quoted[1] };
  const alternatives = text.split(" or ");
  if (alternatives.length > 1) {
    return { kind: "or", parts: alternatives.map((p) => parseExpression(p.trim(), source)) };
  }
  const field = /^([\w-]+)(?:\.([\w-]+))?$/.exec(text);
  if (!field) throw new FileError({ path: source, reason: `cannot read the expression "${text}"` });
  return { kind: "field", variable: field[1], field: field[2] ?? "name" };
}
