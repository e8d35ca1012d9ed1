import { Rng } from "../../../stages/seed.ts";
import type { Goal } from "./goal.ts";

/** No bound. */
export const NO_BOUND = 1_000_000;

/** Highest prices that a sentence names. */
const BOUNDS = Array.from({ length: 99 }, (_, i) => 10 * (i + 1));

/**
 * A goal's highest price and the words for it: the larger of two of the first
 * four multiples of ten above the price, none for a product of 980 dollars or
 * more. The original draws anew in every process; here `address` names the draw.
 */
export function priceBound(price: number, address: string): Pick<Goal, "price_upper"> & { words: string } {
  const above = BOUNDS.filter((bound) => bound > price).slice(0, 4);
  if (above.length < 2) return { price_upper: NO_BOUND, words: "" };
  const upper = Math.max(...new Rng(`shop/bound/${address}`).shuffle(above).slice(0, 2));
  return { price_upper: upper, words: `, and price lower than ${upper.toFixed(2)} dollars` };
}
