import { leafPaths, valueAt } from "./_tree.ts";

/** A tree of sections as `section.key=value` texts, which set its leaves and nothing else. */
export function overridesOf(tree: Readonly<Record<string, unknown>>): readonly string[] {
  return leafPaths(tree)
    .filter((path) => path.length > 0)
    .map((path) => `${path.join(".")}=${JSON.stringify(valueAt(tree, path) ?? null)}`);
}
