import type { Product, ProductOption } from "../catalogue/product.ts";
import type { Rng } from "../../../stages/seed.ts";
import { type Department, type OptionName, optionValues } from "./lexicon.ts";

/** What a generated product is made from. */
export interface ProductDraft {
  readonly department: Department;
  readonly brand: string;
  readonly noun: string;
  /** Attributes in the title. */
  readonly shown: readonly string[];
  /** Attributes that only the page of features names. */
  readonly hidden: readonly string[];
  readonly price: number;
  readonly options: readonly ProductOption[];
}

/** The product of a draft. Its title is `brand attributes noun`; its features are its attributes. */
export function makeProduct(asin: string, draft: ProductDraft): Product {
  const { department, brand, noun, shown, hidden, price, options } = draft;
  const attributes = [...shown, ...hidden];
  return {
    asin,
    title: [brand, ...shown, noun].join(" "),
    description: `a ${noun} by ${brand}`,
    // Search reads the first bullet only: what is hidden must not be found.
    bullets: [`from ${brand}`, ...attributes],
    category: department.category,
    query: noun,
    productCategory: `${department.path} › ${noun}`,
    prices: [price],
    options,
    attributes,
  };
}

/** A group of `count` values in the lexicon's order; `must` is one of them, `mustNot` is none. */
export function drawOption(
  name: OptionName,
  count: number,
  rng: Rng,
  { must, mustNot }: { must?: string; mustNot?: string } = {},
): ProductOption {
  const others = optionValues[name].filter((value) => value !== must && value !== mustNot);
  const drawn = rng.shuffle<string>(others).slice(0, must === undefined ? count : count - 1);
  const values = optionValues[name].filter((value) => value === must || drawn.includes(value));
  return { name, values };
}

/** `count` different ASINs in random order, from `B000000001` on. */
export function numberedAsins(count: number, rng: Rng): string[] {
  return rng.shuffle(Array.from({ length: count }, (_, i) => `B${String(i + 1).padStart(9, "0")}`));
}
