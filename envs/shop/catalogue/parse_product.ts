import type { Json } from "../../env.ts";
import { type Row, RowFault, shown } from "../../rows/row.ts";
import type { Product, ProductOption } from "./product.ts";

/** Attributes of a product that the file of attributes does not know. */
export const NO_ATTRIBUTES: readonly string[] = ["DUMMY_ATTR"];

/**
 * A row of `items_shuffle.json` as WebShop reads it. Null for one that it passes
 * over: an ASIN that is `nan` or longer than ten characters.
 *
 * @throws RowFault for a field of another type, or a price that is no number.
 */
export function parseProduct(row: Row): Product | null {
  const asin = string(row, "asin");
  if (asin === "nan" || asin.length > 10) return null;
  return {
    asin,
    title: string(row, "name"),
    description: string(row, "full_description"),
    bullets: bullets(row),
    category: string(row, "category"),
    query: string(row, "query").toLowerCase().trim(),
    productCategory: string(row, "product_category"),
    prices: prices(row),
    options: options(row),
    attributes: NO_ATTRIBUTES,
  };
}

function string(row: Row, field: string): string {
  const value = row[field];
  if (typeof value === "string") return value;
  throw new RowFault(field, `expected a text, got ${shown(value)}`);
}

function bullets(row: Row): readonly string[] {
  const value = row.small_description;
  if (typeof value === "string") return [value];
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
  throw new RowFault("small_description", `expected a text or a list of texts, got ${shown(value)}`);
}

function prices(row: Row): readonly number[] {
  const value = row.pricing ?? "";
  if (typeof value !== "string") throw new RowFault("pricing", `expected a text, got ${shown(value)}`);
  if (value === "") return [];
  const amounts = value.split("$").slice(1).map((part) => part.replace(/[^\d.]/g, ""));
  if (amounts.length === 0 || !amounts.every((amount) => /^(\d+\.?\d*|\.\d+)$/.test(amount))) {
    throw new RowFault("pricing", `expected amounts such as $9.99, got ${shown(value)}`);
  }
  return amounts.slice(0, 2).map(Number);
}

function options(row: Row): readonly ProductOption[] {
  const groups = row.customization_options || {};
  if (typeof groups !== "object" || Array.isArray(groups)) {
    throw new RowFault("customization_options", `expected an object, got ${shown(groups)}`);
  }
  const byName = new Map<string, readonly string[]>();
  for (const [name, contents] of Object.entries(groups as Row)) {
    if (contents === null) continue;
    const field = `customization_options.${name}`;
    if (!Array.isArray(contents)) throw new RowFault(field, `expected a list, got ${shown(contents)}`);
    byName.set(name.toLowerCase(), contents.map((content) => optionValue(field, content)));
  }
  return [...byName].map(([name, values]) => ({ name, values }));
}

function optionValue(field: string, content: Json): string {
  const value = (content as Row | null)?.value;
  if (typeof value === "string") return value.trim().replaceAll("/", " | ").toLowerCase();
  throw new RowFault(field, `expected objects with a text value, got ${shown(content)}`);
}
