import { FileError } from "../../stages/errors.ts";
import { type Conjunction, conjunctions } from "./conjunction.ts";
import { unpack } from "./fact_table.ts";
import type { Atom, Formula } from "./formula.ts";
import type { State, StaticFacts } from "./state.ts";
import type { Typed } from "./typed_list.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Values of variables by slot; -1 is unbound. */
export type Binding = Int32Array;

/** A compiled condition. It may write to slots above those of its own variables. */
export type Test = (state: State, binding: Binding) => boolean;

/** Enumerates the solutions; stops when `emit` returns true, and returns whether it did. */
export type Join = (state: State, binding: Binding, emit: (binding: Binding) => boolean) => boolean;

/** Names to slots, and how many slots a binding needs. */
export interface Scope {
  readonly slots: ReadonlyMap<string, number>;
  readonly next: { count: number };
}

/** What compiling needs to know of the game; `sizes` are the numbers of true facts at the start. */
export interface Catalog {
  readonly vocabulary: Vocabulary;
  readonly fixed: StaticFacts;
  readonly sizes: readonly number[];
}

type Term = { readonly slot: number } | { readonly value: number };

/** A scope with one slot for each of `variables`. */
export function openScope(variables: readonly Typed[], outer?: Scope): Scope {
  const slots = new Map(outer?.slots);
  const next = outer?.next ?? { count: 0 };
  for (const v of variables) slots.set(v.name, next.count++);
  return { slots, next };
}

/** Compiles a condition to a test under variables that are all bound. */
export function compileTest(formula: Formula, scope: Scope, catalog: Catalog): Test {
  switch (formula.kind) {
    case "and": {
      const parts = formula.parts.map((p) => compileTest(p, scope, catalog));
      return (s, b) => parts.every((p) => p(s, b));
    }
    case "or": {
      const parts = formula.parts.map((p) => compileTest(p, scope, catalog));
      return (s, b) => parts.some((p) => p(s, b));
    }
    case "not": {
      const body = compileTest(formula.body, scope, catalog);
      return (s, b) => !body(s, b);
    }
    case "forall":
      return compileTest(
        {
          kind: "not",
          body: { kind: "exists", variables: formula.variables, body: { kind: "not", body: formula.body } },
        },
        scope,
        catalog,
      );
    case "exists": {
      const joins = conjunctions(formula, catalog.vocabulary.source).map((c) =>
        compileJoin(c, [], scope, catalog)
      );
      const stop = () => true;
      return (s, b) => joins.some((join) => join(s, b, stop));
    }
    case "atom":
      return compileAtom(formula, scope, catalog);
  }
}

/**
 * Compiles a conjunction to a join. Atoms are ordered once, each time the one
 * with the fewest expected matches given what is bound; tests run as soon as
 * their variables are bound; variables in no atom are enumerated by type.
 */
export function compileJoin(
  conjunction: Conjunction,
  parameters: readonly Typed[],
  outer: Scope,
  catalog: Catalog,
): Join {
  const variables = [...parameters, ...conjunction.variables];
  const scope = openScope(conjunction.variables, outer);
  const types = new Map(variables.map((v) => [scope.slots.get(v.name)!, v.type]));
  const bound = new Set([...scope.slots.values()].filter((slot) => !types.has(slot)));
  const steps: Step[] = [];
  const tests = conjunction.tests.map((f) => ({
    slots: freeSlots(f, scope),
    run: compileTest(f, scope, catalog),
  }));
  const flush = () => {
    for (let i = 0; i < tests.length;) {
      if (tests[i].slots.every((slot) => bound.has(slot))) steps.push(testStep(tests.splice(i, 1)[0].run));
      else i++;
    }
  };
  const atoms = conjunction.atoms.map((atom) => ({
    atom,
    predicate: catalog.vocabulary.predicateId(atom),
    terms: compileTerms(atom, scope, catalog),
  }));
  flush();
  while (atoms.length > 0) {
    const costs = atoms.map(({ predicate, terms }) => cost(predicate, terms, bound, catalog));
    const [next] = atoms.splice(costs.indexOf(Math.min(...costs)), 1);
    if (next.terms.every((t) => "value" in t || bound.has(t.slot))) {
      steps.push(testStep(compileAtom(next.atom, scope, catalog)));
    } else steps.push(scanStep(next.predicate, next.terms, bound, types, catalog));
    for (const t of next.terms) if ("slot" in t) bound.add(t.slot);
    flush();
  }
  for (const [slot, type] of types) {
    if (bound.has(slot)) continue;
    steps.push(enumerateStep(slot, catalog.vocabulary.ofType(type)));
    bound.add(slot);
    flush();
  }
  const run = (i: number, s: State, b: Binding, emit: (b: Binding) => boolean): boolean =>
    i === steps.length ? emit(b) : steps[i](s, b, () => run(i + 1, s, b, emit));
  return (s, b, emit) => run(0, s, b, emit);
}

type Step = (state: State, binding: Binding, next: () => boolean) => boolean;

const testStep = (test: Test): Step => (s, b, next) => test(s, b) && next();

const enumerateStep = (slot: number, values: readonly number[]): Step => (_, b, next) => {
  for (const value of values) {
    b[slot] = value;
    if (next()) return true;
  }
  b[slot] = -1;
  return false;
};

function scanStep(
  predicate: number,
  terms: readonly Term[],
  bound: ReadonlySet<number>,
  types: ReadonlyMap<number, string>,
  { vocabulary, fixed }: Catalog,
): Step {
  // A variable that stands twice in the atom is free only at its first place.
  const free = terms.map((t, i) =>
    "slot" in t && !bound.has(t.slot) && terms.findIndex((u) => "slot" in u && u.slot === t.slot) === i
  );
  const take = (tuple: readonly number[], b: Binding): boolean => {
    for (let i = 0; i < terms.length; i++) {
      const t = terms[i];
      if ("value" in t) {
        if (t.value !== tuple[i]) return false;
      } else if (!free[i]) {
        if (b[t.slot] !== tuple[i]) return false;
      } else {
        const type = types.get(t.slot);
        if (type !== undefined && vocabulary.types[tuple[i]] !== type) return false;
        b[t.slot] = tuple[i];
      }
    }
    return true;
  };
  const table = fixed[predicate];
  const key = terms.findIndex((t) => "value" in t || bound.has(t.slot));
  const arity = terms.length;
  return (s, b, next) => {
    if (table) {
      const term = terms[key];
      const rows = key < 0 ? table.tuples : table.at(key, "value" in term ? term.value : b[term.slot]);
      for (const row of rows) if (take(row, b) && next()) return true;
    } else {
      for (const k of s.facts[predicate]) {
        if (take(unpack(k, arity, vocabulary.base), b) && next()) return true;
      }
    }
    return false;
  };
}

/** Expected number of matches given what is bound; facts that change are counted as at the start. */
function cost(
  predicate: number,
  terms: readonly Term[],
  bound: ReadonlySet<number>,
  { fixed, sizes }: Catalog,
): number {
  const known = terms.map((t) => "value" in t || bound.has(t.slot));
  if (known.every(Boolean)) return -1;
  const table = fixed[predicate];
  const spread = known.map((k, i) => !k ? 1 : table ? table.distinct(i) : Math.sqrt(sizes[predicate] + 1));
  return sizes[predicate] / Math.max(1, ...spread);
}

function compileTerms(atom: Atom, scope: Scope, { vocabulary }: Catalog): Term[] {
  return atom.terms.map((term) => {
    if (!term.startsWith("?")) return { value: vocabulary.findObject(term) ?? -2 };
    const slot = scope.slots.get(term);
    if (slot !== undefined) return { slot };
    throw new FileError({
      path: vocabulary.source,
      reason: `unknown variable ${term} in (${atom.predicate} ${atom.terms.join(" ")})`,
    });
  });
}

function compileAtom(atom: Atom, scope: Scope, catalog: Catalog): Test {
  const terms = compileTerms(atom, scope, catalog);
  const read = (t: Term, b: Binding) => "value" in t ? t.value : b[t.slot];
  if (atom.predicate === "=") {
    if (terms.length !== 2) {
      throw new FileError({
        path: catalog.vocabulary.source,
        reason: `= takes two terms, not ${terms.length}`,
      });
    }
    return (_, b) => read(terms[0], b) === read(terms[1], b);
  }
  const predicate = catalog.vocabulary.predicateId(atom);
  if (terms.some((t) => "value" in t && t.value < 0)) return () => false; // names an object this game lacks
  const base = catalog.vocabulary.base;
  return (s, b) => {
    let key = 0;
    for (const t of terms) key = key * base + read(t, b);
    return s.has(predicate, key);
  };
}

function freeSlots(f: Formula, scope: Scope): number[] {
  switch (f.kind) {
    case "atom":
      return f.terms.flatMap((t) => scope.slots.get(t) ?? []);
    case "not":
      return freeSlots(f.body, scope);
    case "and":
    case "or":
      return f.parts.flatMap((p) => freeSlots(p, scope));
    default: {
      const inner = new Map(scope.slots);
      for (const v of f.variables) inner.delete(v.name);
      return freeSlots(f.body, { ...scope, slots: inner });
    }
  }
}
