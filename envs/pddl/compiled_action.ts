import { conjunctions } from "./conjunction.ts";
import type { Action, Effect } from "./domain.ts";
import type { Atom, Formula } from "./formula.ts";
import { type Catalog, compileJoin, compileTest, openScope, type Scope, type Test } from "./join.ts";
import { State } from "./state.ts";

/** An action with its parameters bound to objects. */
export interface Operator {
  readonly action: CompiledAction;
  /** Object ids of the parameters. */
  readonly values: readonly number[];
}

/** An action schema ready to find its operators and to apply one. */
export interface CompiledAction {
  readonly name: string;
  /** Names of the parameters without the question mark. */
  readonly parameters: readonly string[];
  operators(state: State): Operator[];
  apply(state: State, values: readonly number[]): State;
}

type Key = (values: ArrayLike<number>) => number;

interface CompiledEffect {
  readonly predicate: number;
  readonly key: Key;
  readonly negated: boolean;
  readonly condition: Test | undefined;
}

/**
 * Compiles an action. An operator whose every effect is already demanded by its
 * own precondition does not exist, as in Fast Downward's translator: that is why
 * nobody can go where he stands.
 *
 * @throws FileError on an unknown variable.
 */
export function compileAction(action: Action, catalog: Catalog): CompiledAction {
  const { vocabulary } = catalog;
  const base = openScope(action.parameters);
  const count = action.parameters.length;
  const effects = action.effects.map((e): CompiledEffect => ({
    predicate: vocabulary.predicateId(e),
    key: compileKey(e, base, catalog),
    negated: e.negated,
    condition: e.condition && compileTest(e.condition, base, catalog),
  }));
  const alternatives = conjunctions(action.precondition, vocabulary.source).map((conjunction) => ({
    join: compileJoin(conjunction, action.parameters, base, catalog),
    useful: compileUseful(
      action.effects,
      [...conjunction.atoms, ...conjunction.tests.flatMap(literal)],
      base,
      catalog,
    ),
    lifted: conjunction.variables.length > 0,
  }));
  const single = alternatives.length === 1 && !alternatives[0].lifted;
  const binding = new Int32Array(base.next.count).fill(-1);
  const self: CompiledAction = {
    name: action.name,
    parameters: action.parameters.map((p) => p.name.slice(1)),
    operators(state) {
      const out: Operator[] = [];
      const seen = new Set<string>();
      for (const { join, useful } of alternatives) {
        binding.fill(-1);
        join(state, binding, (b) => {
          if (!useful(b)) return false;
          const values = Array.from(b.subarray(0, count));
          if (!single) {
            const id = values.join();
            if (seen.has(id)) return false;
            seen.add(id);
          }
          out.push({ action: self, values });
          return false;
        });
      }
      return out;
    },
    apply(state, values) {
      binding.fill(-1);
      binding.set(values);
      return change(state, effects.filter((e) => !e.condition || e.condition(state, binding)), values);
    },
  };
  return self;
}

/** Deletes first, so that adds win. Only the touched sets are copied. */
function change(state: State, fired: readonly CompiledEffect[], values: readonly number[]): State {
  const facts = [...state.facts] as Set<number>[];
  const negated = [...state.negated] as Set<number>[];
  const copied = new Set<number>();
  const deletes = fired.filter((e) => e.negated);
  const adds = fired.filter((e) => !e.negated);
  for (const { predicate: p, key, negated: isDelete } of [...deletes, ...adds]) {
    if (!copied.has(p)) {
      copied.add(p);
      facts[p] = new Set(facts[p]);
      negated[p] = new Set(negated[p]);
    }
    const fact = key(values);
    (isDelete ? facts : negated)[p].delete(fact);
    (isDelete ? negated : facts)[p].add(fact);
  }
  return new State(state.vocabulary, state.fixed, facts, negated);
}

function literal(test: Formula): (Atom & { readonly negated: true })[] {
  return test.kind === "not" && test.body.kind === "atom" && test.body.predicate !== "="
    ? [{ ...test.body, negated: true }]
    : [];
}

function compileUseful(
  effects: readonly Effect[],
  required: readonly (Atom & { readonly negated?: boolean })[],
  scope: Scope,
  catalog: Catalog,
): (values: ArrayLike<number>) => boolean {
  const same = (a: Atom & { negated?: boolean }, b: Atom & { negated?: boolean }, sign: boolean) =>
    a.predicate === b.predicate && ((a.negated ?? false) === (b.negated ?? false)) === sign;
  const inScope = (a: Atom) => a.terms.every((t) => !t.startsWith("?") || scope.slots.has(t));
  const checks = effects.map((e) => ({
    key: compileKey(e, scope, catalog),
    // What makes this effect void when it is about the same objects: a literal already required, or an add.
    voids: [
      ...required.filter((r) => same(r, e, true) && inScope(r)),
      ...(e.negated && !e.condition ? effects.filter((o) => same(o, e, false) && !o.condition) : []),
    ].map((o) => compileKey(o, scope, catalog)),
  }));
  if (checks.some((c) => c.voids.length === 0)) return () => true;
  return (values) => checks.some((c) => c.voids.every((key) => key(values) !== c.key(values)));
}

function compileKey(atom: Atom, scope: Scope, { vocabulary }: Catalog): Key {
  const terms = atom.terms.map((t) =>
    t.startsWith("?") ? { slot: scope.slots.get(t) } : { value: vocabulary.objectId(t) }
  );
  const missing = terms.findIndex((t) => "slot" in t && t.slot === undefined);
  if (missing >= 0) vocabulary.objectId(atom.terms[missing]); // throws, naming the variable
  const base = vocabulary.base;
  return (values) => {
    let key = 0;
    for (const t of terms) key = key * base + ("value" in t ? t.value! : values[t.slot!]);
    return key;
  };
}
