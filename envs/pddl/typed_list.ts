import { FileError } from "../../stages/errors.ts";
import { printSExpression, type SExpression } from "./s_expression.ts";

/** A variable or object and its type; `object` where none is written. */
export interface Typed {
  readonly name: string;
  readonly type: string;
}

/**
 * Reads `a b - t c - u`. A comma sticks to its word, as in Fast Downward's
 * reader: `?l - location, ?r - receptacle` makes `?l` a variable of the type
 * `location,` that no object has. ALFWorld's `examineObject` depends on it.
 *
 * @throws FileError on a nested list or a missing type.
 */
export function parseTypedList(list: readonly SExpression[], source: string): Typed[] {
  const out: Typed[] = [];
  let pending: string[] = [];
  for (let i = 0; i < list.length; i++) {
    const item = list[i];
    if (typeof item !== "string") {
      throw new FileError({
        path: source,
        reason: `unexpected list ${printSExpression(item)} in a typed list`,
      });
    }
    if (item !== "-") {
      pending.push(item);
      continue;
    }
    const type = list[++i];
    if (typeof type !== "string") {
      throw new FileError({ path: source, reason: `no type after "-" behind ${pending.join(" ")}` });
    }
    for (const name of pending) out.push({ name, type });
    pending = [];
  }
  for (const name of pending) out.push({ name, type: "object" });
  return out;
}
