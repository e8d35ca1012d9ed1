import { type FactTable, unpack } from "./fact_table.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** The facts of a game that never change, by predicate; null where an action can change them. */
export type StaticFacts = readonly (FactTable | null)[];

/**
 * One immutable situation: what is true now, and which facts an action has made
 * false. The text grammar sees the latter as `not_<predicate>`; a fact that was
 * never true has no such mark, exactly as in TextWorld.
 */
export class State {
  constructor(
    readonly vocabulary: Vocabulary,
    readonly fixed: StaticFacts,
    /** Keys of true facts by predicate, in the order they came; empty sets for fixed predicates. */
    readonly facts: readonly ReadonlySet<number>[],
    /** Keys of facts made false, by predicate. */
    readonly negated: readonly ReadonlySet<number>[],
  ) {}

  has(predicate: number, key: number): boolean {
    return (this.fixed[predicate] ?? this.facts[predicate]).has(key);
  }

  /** True facts of a predicate that agree with `pattern` (-1 is free), sorted by their arguments. */
  match(predicate: number, pattern: readonly number[]): readonly (readonly number[])[] {
    const table = this.fixed[predicate];
    if (table) {
      const position = pattern.findIndex((v) => v >= 0);
      const rows = position < 0 ? table.tuples : table.at(position, pattern[position]);
      return rows.filter((row) => agrees(row, pattern));
    }
    return this.#scan(this.facts[predicate], pattern);
  }

  /** As `match`, for the facts made false. */
  matchNegated(predicate: number, pattern: readonly number[]): readonly (readonly number[])[] {
    return this.#scan(this.negated[predicate], pattern);
  }

  #scan(keys: ReadonlySet<number>, pattern: readonly number[]): readonly (readonly number[])[] {
    const out: { key: number; row: number[] }[] = [];
    for (const key of keys) {
      const row = unpack(key, pattern.length, this.vocabulary.base);
      if (agrees(row, pattern)) out.push({ key, row });
    }
    return out.sort((a, b) => a.key - b.key).map((o) => o.row);
  }
}

function agrees(row: readonly number[], pattern: readonly number[]): boolean {
  for (let i = 0; i < row.length; i++) if (pattern[i] >= 0 && pattern[i] !== row[i]) return false;
  return true;
}
