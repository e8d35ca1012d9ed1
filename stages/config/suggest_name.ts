import { editDistance } from "./_edit_distance.ts";

/**
 * What to tell someone who wrote the unknown name `value` where a name of `known` is
 * expected: the nearest one by edit distance, and all of them.
 */
export function suggestName(kind: string, value: string, known: readonly string[]): string {
  const [nearest] = [...known].sort((a, b) => editDistance(value, a) - editDistance(value, b));
  const near = nearest !== undefined && editDistance(value, nearest) <= Math.max(2, value.length / 2);
  return `no ${kind} has that name${near ? `; did you mean ${nearest}?` : ""} (known: ${known.join(", ")})`;
}
