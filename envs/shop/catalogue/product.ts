import { pythonFloat } from "../python_text.ts";

/** One group of choices of a product, such as its colours. */
export interface ProductOption {
  /** Lower case. */
  readonly name: string;
  /** Lower case, in the order of the page. */
  readonly values: readonly string[];
}

/** A product as WebShop's engine keeps it. */
export interface Product {
  readonly asin: string;
  readonly title: string;
  readonly description: string;
  readonly bullets: readonly string[];
  readonly category: string;
  /** The search that the product was found by when the catalogue was collected; lower case. */
  readonly query: string;
  /** Path such as `Home & Kitchen › Furniture`. */
  readonly productCategory: string;
  /** Dollars: one price, or the ends of a range; empty if unknown. */
  readonly prices: readonly number[];
  readonly options: readonly ProductOption[];
  readonly attributes: readonly string[];
}

/** Dollars that a product without a price costs. */
export const UNKNOWN_PRICE = 100;

/** The price as the pages print it: `$11.5` or `$11.5 to $20.0`. */
export function priceTag({ prices }: Product): string {
  const [low = UNKNOWN_PRICE, high] = prices;
  return high === undefined ? `$${pythonFloat(low)}` : `$${pythonFloat(low)} to $${pythonFloat(high)}`;
}
