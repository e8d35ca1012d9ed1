import { uniformAt } from "../../../stages/seed.ts";
import { type Product, UNKNOWN_PRICE } from "./product.ts";

/** Finds products, best first. */
export interface Searcher {
  search(query: string, k: number): readonly { readonly doc: number }[];
}

/** Products with their index; product `n` is the index's document `n`. */
export interface Catalogue {
  /** Tells catalogues apart in fingerprints. */
  readonly id: string;
  readonly size: number;
  readonly index: Searcher;
  product(number: number): Product;
  /** The number of the product with this ASIN. */
  find(asin: string): number | undefined;
  /** The nouns of a title, lower case, in order and with repetitions. */
  nouns(title: string): readonly string[];
}

/**
 * The text that a product is found by: title, description, first bullet and options.
 * Same as WebShop's `convert_product_file_format.py`.
 */
export function searchText({ title, description, bullets, options }: Product): string {
  const choices = options.map(({ name, values }) => `${name}: ${values.join(", ")}`).join(", and ");
  return `${title} ${description} ${bullets[0] ?? ""} ${choices}`.toLowerCase();
}

/**
 * What the product costs when it is bought, in dollars. The original draws prices
 * of a range anew in every process; here the draw is addressed by the product.
 */
export function priceOf({ asin, prices }: Product): number {
  const [low = UNKNOWN_PRICE, high] = prices;
  return high === undefined ? low : low + (high - low) * uniformAt(`shop/price/${asin}`, 0);
}
