import { FileError } from "../../stages/errors.ts";
import type { Atom, Formula } from "./formula.ts";
import type { Typed } from "./typed_list.ts";

/** Positive atoms to join, conditions to test, and the variables that quantifiers brought in. */
export interface Conjunction {
  readonly variables: readonly Typed[];
  readonly atoms: readonly Atom[];
  readonly tests: readonly Formula[];
}

const maxAlternatives = 256;

/**
 * Splits a condition into conjunctions of which at least one must hold.
 * Existential quantifiers are lifted with fresh variable names; a disjunction
 * without quantifiers stays one test, so that it does not multiply operators.
 *
 * @throws FileError if there are more than 256 alternatives.
 */
export function conjunctions(formula: Formula, source: string): Conjunction[] {
  let fresh = 0;
  const split = (f: Formula): Conjunction[] => {
    switch (f.kind) {
      case "and": {
        let out: Conjunction[] = [{ variables: [], atoms: [], tests: [] }];
        for (const part of f.parts) {
          const right = split(part);
          if (out.length * right.length > maxAlternatives) {
            throw new FileError({
              path: source,
              reason: `more than ${maxAlternatives} alternatives in a condition`,
            });
          }
          out = out.flatMap((a) => right.map((b) => join(a, b)));
        }
        return out;
      }
      case "or":
        if (f.parts.length === 1 || f.parts.some(quantified)) return f.parts.flatMap(split);
        return [{ variables: [], atoms: [], tests: [f] }];
      case "exists": {
        const names = new Map(f.variables.map((v) => [v.name, `${v.name}#${fresh++}`]));
        const variables = f.variables.map((v) => ({ name: names.get(v.name)!, type: v.type }));
        return split(rename(f.body, names)).map((c) => ({ ...c, variables: [...variables, ...c.variables] }));
      }
      case "atom":
        if (f.predicate !== "=") return [{ variables: [], atoms: [f], tests: [] }];
        return [{ variables: [], atoms: [], tests: [f] }];
      default:
        return [{ variables: [], atoms: [], tests: [f] }];
    }
  };
  return split(formula);
}

function join(a: Conjunction, b: Conjunction): Conjunction {
  return {
    variables: [...a.variables, ...b.variables],
    atoms: [...a.atoms, ...b.atoms],
    tests: [...a.tests, ...b.tests],
  };
}

function quantified(f: Formula): boolean {
  if (f.kind === "exists") return true;
  return (f.kind === "and" || f.kind === "or") && f.parts.some(quantified);
}

function rename(f: Formula, names: ReadonlyMap<string, string>): Formula {
  switch (f.kind) {
    case "atom":
      return { ...f, terms: f.terms.map((t) => names.get(t) ?? t) };
    case "not":
      return { kind: "not", body: rename(f.body, names) };
    case "and":
    case "or":
      return { kind: f.kind, parts: f.parts.map((p) => rename(p, names)) };
    default: {
      const inner = new Map(names);
      for (const v of f.variables) inner.delete(v.name);
      return { ...f, body: rename(f.body, inner) };
    }
  }
}
