import type { World } from "../pddl/world.ts";

/**
 * Names as ALFWorld shows them, by object id: the part of the id before `_bar_`
 * (plus `basin` where the id contains it) and a number. Ids that some initial
 * fact names are taken ascending; of n with one base the first gets number n and
 * the last 1. An id without `_bar_` shows as itself and a space.
 */
export function displayNames({ vocabulary, mentioned }: World): string[] {
  const names = vocabulary.objects.map((id) => id + " ");
  const left = new Map<string, number>();
  const bases = mentioned.map((id) => baseName(vocabulary.objects[id]));
  for (const base of bases) if (base !== null) left.set(base, (left.get(base) ?? 0) + 1);
  mentioned.forEach((id, i) => {
    const base = bases[i];
    if (base === null) return;
    const number = left.get(base)!;
    names[id] = `${base} ${number}`;
    left.set(base, number - 1);
  });
  return names;
}

function baseName(id: string): string | null {
  const at = id.indexOf("_bar_");
  if (at < 0) return null;
  return id.slice(0, at) + (id.includes("basin") ? "basin" : "");
}
