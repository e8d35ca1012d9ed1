import type { State } from "../pddl/state.ts";
import type { TextGame } from "../text_game/text_game.ts";

/** A household's situation in display names: what the oracle and the verdict look at. */
export class Room {
  constructor(readonly game: TextGame, readonly state: State) {}

  /** The thing in hand, or null. */
  held(): string | null {
    return this.#names("holds", [-1, -1], 1)[0] ?? null;
  }

  /** Receptacles of a type, by number. */
  receptacles(type?: string): string[] {
    return byNumber(this.#ofType("receptacletype", type));
  }

  /** Things of a type, by number. */
  things(type: string): string[] {
    return byNumber(this.#ofType("objecttype", type));
  }

  /** Things of a type in a receptacle. */
  thingsIn(receptacle: string, type: string): string[] {
    const inside = new Set(this.#names("inreceptacle", [-1, this.#id(receptacle)], 0));
    return this.things(type).filter((t) => inside.has(t));
  }

  /** Receptacles that a thing is in; official games have things in two. */
  placesOf(thing: string): string[] {
    return this.#names("inreceptacle", [this.#id(thing), -1], 1);
  }

  /** Is a fact of one argument true, such as `ishot`? */
  is(predicate: string, name: string): boolean {
    return this.#names(predicate, [this.#id(name)], 0).length > 0;
  }

  /** Is the agent at the receptacle's location? */
  isHere(receptacle: string): boolean {
    const here = new Set(this.#rows("atlocation", [-1, -1]).map((row) => row[1]));
    return this.#rows("receptacleatlocation", [this.#id(receptacle), -1]).some((row) => here.has(row[1]));
  }

  /** Does the receptacle's type take things of this type? */
  takes(receptacle: string, thing: string): boolean {
    const rtypes = this.#rows("receptacletype", [this.#id(receptacle), -1]).map((row) => row[1]);
    const otypes = this.#rows("objecttype", [this.#id(thing), -1]).map((row) => row[1]);
    return rtypes.some((r) => otypes.some((o) => this.#rows("cancontain", [r, o]).length > 0));
  }

  #ofType(predicate: string, type?: string): string[] {
    if (type === undefined) return this.#names(predicate, [-1, -1], 0);
    const id = this.state.vocabulary.findObject(type + "type");
    return id === undefined ? [] : this.#names(predicate, [-1, id], 0);
  }

  #id(name: string): number {
    const id = this.game.ids.get(name);
    return id ?? -2;
  }

  #names(predicate: string, pattern: readonly number[], column: number): string[] {
    return this.#rows(predicate, pattern).map((row) => this.game.names[row[column]]);
  }

  #rows(predicate: string, pattern: readonly number[]): readonly (readonly number[])[] {
    const id = this.state.vocabulary.findPredicate(predicate);
    if (id === undefined || this.state.vocabulary.arities[id] !== pattern.length || pattern.includes(-2)) {
      return [];
    }
    return this.state.match(id, pattern);
  }
}

function byNumber(names: readonly string[]): string[] {
  const number = (name: string) => Number(name.slice(name.lastIndexOf(" ") + 1));
  return [...names].sort((a, b) => number(a) - number(b));
}
