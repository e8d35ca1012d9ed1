import { FileError } from "../../stages/errors.ts";
import { parseDefinition } from "./domain.ts";
import { type Atom, type Formula, parseAtom, parseFormula } from "./formula.ts";
import { parseTypedList, type Typed } from "./typed_list.ts";

/** One instance of a domain: its objects, the facts true at the start and the goal. */
export interface Problem {
  readonly name: string;
  readonly objects: readonly Typed[];
  readonly init: readonly Atom[];
  readonly goal: Formula;
}

/**
 * Reads `(define (problem ...) ...)`; numeric facts (`=`) are passed over.
 *
 * @throws FileError on an undeclared or twice declared object, or a missing section.
 */
export function parseProblem(text: string, source: string): Problem {
  const [name, sections] = parseDefinition(text, "problem", source);
  const section = (key: string) => {
    const found = sections.find((s) => s[0] === key);
    if (found === undefined) throw new FileError({ path: source, reason: `problem ${name} has no ${key}` });
    return found.slice(1);
  };
  const objects = parseTypedList(section(":objects"), source);
  const known = new Set<string>();
  for (const object of objects) {
    if (known.has(object.name)) {
      throw new FileError({ path: source, reason: `object ${object.name} is declared twice` });
    }
    known.add(object.name);
  }
  const init = section(":init")
    .filter((fact) => typeof fact === "string" || fact[0] !== "=")
    .map((fact) => parseAtom(fact, source));
  for (const { predicate, terms } of init) {
    for (const term of terms) {
      if (!known.has(term)) {
        throw new FileError({
          path: source,
          reason: `(${predicate} ${terms.join(" ")}) names no object ${term}`,
        });
      }
    }
  }
  return { name, objects, init, goal: parseFormula(section(":goal")[0], source) };
}
