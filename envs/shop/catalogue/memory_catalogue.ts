import { SearchIndex } from "../search/search_index.ts";
import { type Catalogue, searchText } from "./catalogue.ts";
import type { Product } from "./product.ts";

/** A catalogue of products that are all in memory. */
export function memoryCatalogue(
  id: string,
  products: readonly Product[],
  nouns: (title: string) => readonly string[],
): Catalogue {
  const index = new SearchIndex();
  const numbers = new Map<string, number>();
  products.forEach((product, number) => {
    index.add(product.asin, searchText(product));
    numbers.set(product.asin, number);
  });
  return {
    id,
    size: products.length,
    index,
    product: (number) => products[number],
    find: (asin) => numbers.get(asin),
    nouns,
  };
}
