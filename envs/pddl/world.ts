import { compileAction, type CompiledAction, type Operator } from "./compiled_action.ts";
import type { Domain } from "./domain.ts";
import { FactTable } from "./fact_table.ts";
import type { Atom, Formula } from "./formula.ts";
import { type Catalog, compileTest, openScope, type Test } from "./join.ts";
import type { Problem } from "./problem.ts";
import { State } from "./state.ts";
import { Vocabulary } from "./vocabulary.ts";

/**
 * A domain and a problem compiled for playing: the operators of a situation,
 * what they lead to, and whether the goal holds.
 */
export class World {
  readonly vocabulary: Vocabulary;
  readonly start: State;
  readonly actions: readonly CompiledAction[];
  /** Ids of the objects that some initial fact names, ascending. */
  readonly mentioned: readonly number[];
  /** Predicates that a precondition, an effect's condition or the goal reads. */
  readonly conditions: ReadonlySet<string>;
  readonly #goal: Test;
  readonly #goalBinding: Int32Array;

  /** @throws FileError on an unknown variable or object, or a predicate with two arities. */
  constructor(domain: Domain, problem: Problem, source: string) {
    const v = this.vocabulary = new Vocabulary(problem.objects, source);
    const changing = new Set<number>();
    const conditions = domain.actions.flatMap((action) => [
      action.precondition,
      ...action.effects.flatMap((e) => e.condition ?? []),
    ]).concat(problem.goal).flatMap(atomsOf);
    conditions.forEach((atom) => v.predicateId(atom));
    this.conditions = new Set(conditions.map((atom) => atom.predicate));
    for (const { effects } of domain.actions) for (const e of effects) changing.add(v.predicateId(e));
    problem.init.forEach((fact) => v.predicateId(fact));
    const keys = v.predicates.map(() => new Set<number>());
    const mentioned = new Set<number>();
    for (const fact of problem.init) {
      const ids = fact.terms.map((t) => v.objectId(t));
      ids.forEach((id) => mentioned.add(id));
      keys[v.predicateId(fact)].add(ids.reduce((key, id) => key * v.base + id, 0));
    }
    this.mentioned = [...mentioned].sort((a, b) => a - b);
    const fixed = keys.map((k, p) => changing.has(p) ? null : new FactTable(k, v.arities[p], v.base));
    this.start = new State(
      v,
      fixed,
      keys.map((k, p) => changing.has(p) ? k : new Set()),
      keys.map(() => new Set()),
    );
    const catalog: Catalog = { vocabulary: v, fixed, sizes: keys.map((k) => k.size) };
    this.actions = domain.actions.map((action) => compileAction(action, catalog));
    const scope = openScope([]);
    this.#goal = compileTest(problem.goal, scope, catalog);
    this.#goalBinding = new Int32Array(scope.next.count).fill(-1);
  }

  /** Every operator whose precondition holds and that changes something, in a fixed order. */
  operators(state: State): Operator[] {
    return this.actions.flatMap((action) => action.operators(state));
  }

  /** Does the goal hold? */
  won(state: State): boolean {
    return this.#goal(state, this.#goalBinding);
  }
}

function atomsOf(f: Formula): Atom[] {
  switch (f.kind) {
    case "atom":
      return f.predicate === "=" ? [] : [f];
    case "and":
    case "or":
      return f.parts.flatMap(atomsOf);
    default:
      return atomsOf(f.body);
  }
}
