import type { Catalogue } from "../../../envs/shop/catalogue/catalogue.ts";
import type { Product } from "../../../envs/shop/catalogue/product.ts";

/** A JSON file of fixtures/shop. */
export function fixture<T>(name: string): T {
  return JSON.parse(Deno.readTextFileSync(new URL(`../../../fixtures/shop/${name}`, import.meta.url)));
}

/** A product with these fields, and something for the rest. */
export function productOf(fields: Partial<Product>): Product {
  return {
    asin: "B000TEST01",
    title: "acme candle",
    description: "",
    bullets: [],
    category: "garden",
    query: "candles",
    productCategory: "Home › Candles",
    prices: [10],
    options: [],
    attributes: [],
    ...fields,
  };
}

/** A catalogue whose search is `search`; every word of letters in a title is a noun. */
export function catalogueOf(
  products: readonly Product[],
  search: (query: string) => readonly string[],
): Catalogue {
  const find = (asin: string) => {
    const number = products.findIndex((product) => product.asin === asin);
    return number < 0 ? undefined : number;
  };
  return {
    id: "test",
    size: products.length,
    index: { search: (query, k) => search(query).slice(0, k).map((asin) => ({ doc: find(asin)! })) },
    product: (number) => products[number],
    find,
    nouns: (title) => title.toLowerCase().match(/[^\W\d_]+/gu) ?? [],
  };
}
