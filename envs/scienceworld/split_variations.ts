import type { Split } from "../env.ts";

/**
 * First variation of a split and the one after its last, of `count`: with g =
 * ⌊count/4⌋ the simulator gives 2g to train, g to dev, and the next 2g, as far as
 * there are, to test (its `getVariationsTrain`, `Dev`, `Test` for count > 4).
 */
export function splitVariations(count: number, split: Split): readonly [from: number, to: number] {
  const group = Math.floor(count / 4);
  if (split === "train") return [0, 2 * group];
  if (split === "valid") return [2 * group, 3 * group];
  return [3 * group, Math.min(count, 5 * group)];
}
