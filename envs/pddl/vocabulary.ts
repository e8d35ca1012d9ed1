import { FileError } from "../../stages/errors.ts";
import type { Atom } from "./formula.ts";
import type { Typed } from "./typed_list.ts";

/**
 * Objects and predicates as small integers. Object ids follow the code-point
 * order of the names, so sorting facts by id sorts them by name.
 */
export class Vocabulary {
  readonly objects: readonly string[];
  readonly types: readonly string[];
  readonly predicates: string[] = [];
  readonly arities: number[] = [];
  readonly #objectIds = new Map<string, number>();
  readonly #predicateIds = new Map<string, number>();
  readonly #byType = new Map<string, number[]>();

  constructor(objects: readonly Typed[], readonly source: string) {
    const sorted = [...objects].sort((a, b) => a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
    this.objects = sorted.map((o) => o.name);
    this.types = sorted.map((o) => o.type);
    sorted.forEach(({ name, type }, id) => {
      this.#objectIds.set(name, id);
      const ids = this.#byType.get(type);
      if (ids) ids.push(id);
      else this.#byType.set(type, [id]);
    });
  }

  /** Number of objects: the base of fact keys. */
  get base(): number {
    return this.objects.length;
  }

  /** @throws FileError for a name that is no object. */
  objectId(name: string): number {
    const id = this.#objectIds.get(name);
    if (id === undefined) throw new FileError({ path: this.source, reason: `no object is named ${name}` });
    return id;
  }

  /** The id of an object, or undefined. */
  findObject(name: string): number | undefined {
    return this.#objectIds.get(name);
  }

  /** The objects of a type, ascending; none for a type that nothing has. */
  ofType(type: string): readonly number[] {
    return this.#byType.get(type) ?? [];
  }

  /** The predicate's id, given at its first use; @throws FileError if it is used with two arities. */
  predicateId({ predicate, terms }: Atom): number {
    const known = this.#predicateIds.get(predicate);
    if (known !== undefined) {
      if (this.arities[known] !== terms.length) {
        throw new FileError({
          path: this.source,
          reason: `predicate ${predicate} is used with ${
            this.arities[known]
          } and with ${terms.length} arguments`,
        });
      }
      return known;
    }
    if (Math.max(1, this.base) ** terms.length > Number.MAX_SAFE_INTEGER) {
      throw new FileError({
        path: this.source,
        reason: `${this.base} objects and predicate ${predicate} of ${terms.length} arguments are too many`,
      });
    }
    this.#predicateIds.set(predicate, this.predicates.length);
    this.predicates.push(predicate);
    this.arities.push(terms.length);
    return this.predicates.length - 1;
  }

  /** The id of a predicate, or undefined if nothing uses it. */
  findPredicate(name: string): number | undefined {
    return this.#predicateIds.get(name);
  }
}
