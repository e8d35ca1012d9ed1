import type { State } from "../pddl/state.ts";
import { hash32 } from "../../stages/seed.ts";
import type { TextGame } from "./text_game.ts";

/**
 * 16 hexadecimal digits for a situation of a game. Facts that no rule and no
 * text ever reads, such as ALFWorld's `checked`, do not count.
 */
export function fingerprint(game: TextGame, state: State): string {
  const parts = [identity(game)];
  state.vocabulary.predicates.forEach((name, p) => {
    if (state.fixed[p]) return;
    if (game.reads.has(name)) parts.push(name, sorted(state.facts[p]));
    if (game.reads.has(`not_${name}`)) parts.push(`not_${name}`, sorted(state.negated[p]));
  });
  return hash64(parts.join(" "));
}

const identities = new WeakMap<TextGame, string>();

/** A hash of what never changes: the fixed facts in words and the task sentence. */
function identity(game: TextGame): string {
  const known = identities.get(game);
  if (known !== undefined) return known;
  const { vocabulary, fixed } = game.world.start;
  const facts = fixed.flatMap((table, p) =>
    (table?.tuples ?? []).map((t) =>
      [vocabulary.predicates[p], ...t.map((id) => vocabulary.objects[id])].join(" ")
    )
  );
  const objects = vocabulary.objects.join(" ");
  const id = hash64([objects, ...facts.sort(), game.intro()].join("\n"));
  identities.set(game, id);
  return id;
}

/** A text form of facts that does not depend on the order they came in. */
function sorted(keys: ReadonlySet<number>): string {
  return [...keys].sort((a, b) => a - b).join(",");
}

function hash64(text: string): string {
  const half = (salt: string) => hash32(salt + text).toString(16).padStart(8, "0");
  return half("a") + half("b");
}
