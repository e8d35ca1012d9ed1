import { type Row, RowFault, shown, text, texts } from "../../rows/row.ts";
import { priceOf } from "../catalogue/catalogue.ts";
import type { Product } from "../catalogue/product.ts";
import type { Goal } from "./goal.ts";
import { priceBound } from "./price_bound.ts";

/**
 * Goals from what people wrote about a product: one entry of `items_human_ins.json`,
 * a list of instructions. Those without an attribute are passed over, as in the
 * original.
 *
 * @throws RowFault
 */
export function humanGoals(product: Product, instructions: unknown): readonly Goal[] {
  if (!Array.isArray(instructions)) {
    throw new RowFault(product.asin, `expected a list of instructions, got ${shown(instructions)}`);
  }
  return (instructions as readonly Row[]).flatMap((row, i): Goal[] => {
    const attributes = texts(row, "instruction_attributes");
    if (attributes.length === 0) return [];
    const { price_upper, words } = priceBound(priceOf(product), `${product.asin}/${i}`);
    return [{
      ...identityOf(product),
      instruction_text: text(row, "instruction").replace(/^\.+|\.+$/g, "") + words,
      attributes,
      price_upper,
      goal_options: texts(row, "instruction_options"),
      weight: 1,
    }];
  });
}

/** The fields of a goal that say which product it was made for. */
export function identityOf(product: Product) {
  const { asin, category, query, title, productCategory } = product;
  return { asin, category, query, name: title, product_category: productCategory };
}
