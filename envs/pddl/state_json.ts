import type { Json } from "../env.ts";
import { State } from "./state.ts";

/** The changing facts of a state: predicate, keys of true facts, keys of facts made false. */
export function stateToJson(state: State): Json {
  const { predicates } = state.vocabulary;
  return predicates.flatMap((name, p) => {
    if (state.fixed[p] || (state.facts[p].size === 0 && state.negated[p].size === 0)) return [];
    return [[name, [...state.facts[p]], [...state.negated[p]]]];
  });
}

/**
 * The state of the same game from {@link stateToJson}.
 *
 * @param start Any state of the game.
 * @throws RangeError on a predicate or key that the game does not have.
 */
export function stateFromJson(json: Json | undefined, start: State): State {
  const { vocabulary, fixed } = start;
  if (!Array.isArray(json)) throw new RangeError("Cannot restore a state: no list of facts");
  const facts = start.facts.map(() => new Set<number>());
  const negated = start.facts.map(() => new Set<number>());
  for (const entry of json) {
    const [name, yes, no] = Array.isArray(entry) ? entry : [];
    const p = typeof name === "string" ? vocabulary.findPredicate(name) : undefined;
    if (p === undefined || fixed[p]) {
      throw new RangeError(`Cannot restore a state: no changing predicate ${name}`);
    }
    const limit = vocabulary.base ** vocabulary.arities[p];
    const read = (keys: unknown, into: Set<number>) => {
      if (!Array.isArray(keys)) throw new RangeError(`Cannot restore a state: no facts of ${name}`);
      for (const key of keys) {
        if (!Number.isSafeInteger(key) || key < 0 || key >= limit) {
          throw new RangeError(`Cannot restore a state: ${key} is no fact of ${name}`);
        }
        into.add(key);
      }
    };
    read(yes, facts[p]);
    read(no, negated[p]);
  }
  return new State(vocabulary, fixed, facts, negated);
}
