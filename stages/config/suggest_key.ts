import { editDistance } from "./_edit_distance.ts";
import { foreignKeys } from "./_foreign_keys.ts";

/**
 * What to tell someone who wrote the unknown key `path`: where another trainer's
 * spelling lives here, else the nearest of `known` by edit distance, else the
 * keys of that section.
 *
 * @example
 * ```ts
 * import { suggestKey } from "./suggest_key.ts";
 * suggestKey("rollout.tempature", ["rollout.n", "rollout.temperature"]);
 * // unknown key; did you mean rollout.temperature?
 * ```
 */
export function suggestKey(path: string, known: readonly string[]): string {
  const leaf = leafOf(path);
  const foreign = foreignKeys.get(path) ?? foreignKeys.get(leaf);
  if (foreign !== undefined) return `not a key of Pivot; write ${foreign}`;
  const sameLeaf = known.filter((key) => leafOf(key) === leaf);
  if (sameLeaf.length > 0) return `unknown key; did you mean ${sameLeaf.join(" or ")}?`;

  const siblings = known.filter((key) => parentOf(key) === parentOf(path));
  const near = nearest(leaf, siblings, leafOf) ?? nearest(path, known, (key) => key);
  if (near !== undefined) return `unknown key; did you mean ${near}?`;
  if (siblings.length > 0) return `unknown key; this section has ${siblings.map(leafOf).join(", ")}`;
  const sections = [...new Set(known.map((key) => key.split(".")[0]))];
  const section = nearest(path.split(".")[0], sections, (name) => name);
  return section === undefined
    ? `unknown key; sections are ${sections.join(", ")}`
    : `unknown key; did you mean section ${section}?`;
}

function nearest(text: string, keys: readonly string[], part: (key: string) => string): string | undefined {
  const limit = Math.max(1, Math.floor(text.length / 3));
  const ranked = keys.map((key) => ({ key, distance: editDistance(text, part(key)) }))
    .sort((a, b) => a.distance - b.distance);
  return ranked.length > 0 && ranked[0].distance <= limit ? ranked[0].key : undefined;
}

const leafOf = (path: string) => path.slice(path.lastIndexOf(".") + 1);
const parentOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf(".")));
