import type { Rng } from "../../../stages/seed.ts";
import type { Curriculum } from "../../demonstrator.ts";
import type { ShopFlaws } from "./shop_plan.ts";

/** What one episode's shopper does wrong. */
export interface DrawnFlaws extends ShopFlaws {
  /** Chance, each turn, of a random click instead of the planned one. */
  readonly slip: number;
}

/** Share of flawless episodes in the first curriculum. */
const CLEAN_SHARE = 0.45;

/**
 * The flaws of one episode. `capable` mixes flawless episodes with noisy ones, so
 * that everything is seen done and every failure is seen diagnosed; `flawed` misses
 * the rules about options, features and prices almost always; `blind` always.
 */
export function drawShopFlaws(curriculum: Curriculum, rng: Rng): DrawnFlaws {
  const draw = (missing: number, misread: number, slip: number): DrawnFlaws => ({
    skipOptions: rng.chance(missing),
    skipCheck: rng.chance(missing),
    ignorePrice: rng.chance(missing),
    misread: rng.chance(misread),
    slip,
  });
  if (curriculum === "capable") return rng.chance(CLEAN_SHARE) ? draw(0, 0, 0.01) : draw(0.6, 0.2, 0.03);
  return curriculum === "flawed" ? draw(0.985, 0.01, 0) : draw(1, 0, 0);
}
