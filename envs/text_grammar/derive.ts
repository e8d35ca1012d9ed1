import { FileError } from "../../stages/errors.ts";
import type { State } from "../pddl/state.ts";
import type { Expression, QueryAtom, Symbol } from "./symbols.ts";
import type { TextGrammar } from "./text_grammar.ts";

/** Variables of a derivation and the objects they stand for. */
export type Context = ReadonlyMap<string, number>;

/** What a derivation reads. */
export interface Telling {
  readonly grammar: TextGrammar;
  readonly state: State;
  /** Display names by object id. */
  readonly names: readonly string[];
}

const maxDepth = 100;

/**
 * The text of a sequence of symbols in a situation. Queries are solved in the
 * order of sorted facts, and two variables never share an object.
 *
 * @throws FileError if a rule is missing, recurses, or names an unbound variable.
 */
export function derive(symbols: readonly Symbol[], context: Context, telling: Telling, depth = 0): string {
  if (depth > maxDepth) throw new FileError({ path: telling.grammar.source, reason: "a rule calls itself" });
  let out = "";
  for (const symbol of symbols) {
    if (symbol.kind === "text") out += symbol.text;
    else if (symbol.kind === "rule") out += deriveRule(symbol.name, context, telling, depth);
    else {
      const contexts = symbol.query ? solutions(symbol.query, context, telling.state) : [context];
      const { item } = symbol;
      const items = contexts.map((c) =>
        item.kind === "rule" ? deriveRule(item.name, c, telling, depth) : evaluate(item, c, telling)
      );
      out += symbol.list ? enumerate(items, context, telling, depth) : items.join("");
    }
  }
  return out;
}

function deriveRule(name: string, context: Context, telling: Telling, depth: number): string {
  for (const { condition, symbols } of telling.grammar.productions(name)) {
    if (condition && solutions(condition, context, telling.state, 1).length === 0) continue;
    return derive(symbols, context, telling, depth + 1);
  }
  throw new FileError({ path: telling.grammar.source, reason: `no production of #${name}# applies` });
}

function enumerate(items: readonly string[], context: Context, telling: Telling, depth: number): string {
  if (items.length === 0) return deriveRule("list_empty", context, telling, depth);
  if (items.length === 1) return items[0];
  return items.slice(0, -1).join(deriveRule("list_separator", context, telling, depth)) +
    deriveRule("list_last_separator", context, telling, depth) + items[items.length - 1];
}

function evaluate(expression: Expression, context: Context, telling: Telling): string {
  switch (expression.kind) {
    case "literal":
      return expression.text;
    case "sum":
      return expression.parts.map((p) => evaluate(p, context, telling)).join("");
    case "or": {
      for (const part of expression.parts) {
        const text = evaluate(part, context, telling);
        if (text !== "") return text;
      }
      return "";
    }
    case "field": {
      const id = context.get(expression.variable);
      if (id === undefined) {
        throw new FileError({
          path: telling.grammar.source,
          reason:
            `${expression.variable}.${expression.field} is asked for where ${expression.variable} is unbound`,
        });
      }
      if (expression.field === "indefinite") return "a";
      if (expression.field === "definite") return "the";
      return expression.field === "id" ? telling.state.vocabulary.objects[id] : telling.names[id];
    }
  }
}

/** Extensions of `context` that satisfy the query, at most `limit`. */
export function solutions(
  query: readonly QueryAtom[],
  context: Context,
  state: State,
  limit = Infinity,
): Context[] {
  const out: Context[] = [];
  const { vocabulary } = state;
  const solve = (i: number, bound: Context): boolean => {
    if (i === query.length) return out.push(bound) >= limit;
    const { terms } = query[i];
    const pattern = terms.map((t) => bound.get(t.name) ?? -1);
    for (const row of factsOf(query[i], pattern, state)) {
      const next = new Map(bound);
      const used = new Set(bound.values());
      const fits = row.every((id, k) => {
        if (vocabulary.types[id] !== terms[k].type) return false;
        const known = next.get(terms[k].name);
        if (known !== undefined) return known === id;
        if (used.has(id)) return false;
        next.set(terms[k].name, id);
        used.add(id);
        return true;
      });
      if (fits && solve(i + 1, next)) return true;
    }
    return false;
  };
  solve(0, context);
  return out;
}

/** True facts of a predicate; for `not_p`, the facts of `p` that an action made false. */
function factsOf({ predicate, terms }: QueryAtom, pattern: readonly number[], state: State) {
  const negated = predicate.startsWith("not_");
  const id = state.vocabulary.findPredicate(negated ? predicate.slice(4) : predicate);
  if (id === undefined || state.vocabulary.arities[id] !== terms.length) return [];
  return negated ? state.matchNegated(id, pattern) : state.match(id, pattern);
}
