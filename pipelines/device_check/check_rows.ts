import { Rng } from "../../stages/seed.ts";
import type { WeightedRow } from "../../stages/engine/engine.ts";

/** `count` rows of `length` random ids below `vocabulary`, each token with a random weight: [count][length]. */
export function checkRows(count: number, length: number, vocabulary: number): readonly WeightedRow[] {
  const rng = new Rng(11);
  return Array.from({ length: count }, () => ({
    ids: Array.from({ length }, () => rng.int(vocabulary)),
    weights: Array.from({ length }, (_, t) => t === 0 ? 0 : rng.normal() / (count * length)),
  }));
}
