import type { Json } from "../../env.ts";
import { type Row, RowFault, shown, text, texts } from "../../rows/row.ts";

/** What is to be bought, with WebShop's field names; plain JSON. */
export interface Goal {
  readonly asin: string;
  readonly category: string;
  readonly query: string;
  /** The product's title. */
  readonly name: string;
  readonly product_category: string;
  readonly instruction_text: string;
  readonly attributes: readonly string[];
  /** Highest price in dollars; 1000000 is none. */
  readonly price_upper: number;
  /** Values to be chosen: people name them, synthetic goals pair them with their option. */
  readonly goal_options: readonly string[] | Readonly<Record<string, string>>;
  /** Weight in a draw of goals. */
  readonly weight: number;
}

/**
 * A goal from a row of a data file or a payload.
 *
 * @throws RowFault for a field that is missing or of another type.
 */
export function parseGoal(row: Row): Goal {
  const attributes = texts(row, "attributes");
  if (attributes.length === 0) throw new RowFault("attributes", "expected at least one attribute");
  return {
    asin: text(row, "asin"),
    category: string(row, "category"),
    query: string(row, "query"),
    name: string(row, "name"),
    product_category: string(row, "product_category"),
    instruction_text: text(row, "instruction_text"),
    attributes,
    price_upper: number(row, "price_upper"),
    goal_options: options(row),
    weight: row.weight === undefined ? 1 : number(row, "weight"),
  };
}

/** A goal's options as pairs; the name is null where a person named the value alone. */
export function goalOptions({ goal_options: options }: Goal): readonly (readonly [string | null, string])[] {
  return isList(options) ? options.map((value) => [null, value] as const) : Object.entries(options);
}

function isList(options: Goal["goal_options"]): options is readonly string[] {
  return Array.isArray(options);
}

function options(row: Row): Goal["goal_options"] {
  const value: Json = row.goal_options;
  const items = typeof value === "object" && value !== null ? Object.values(value) : [null];
  if (items.every((item) => typeof item === "string")) return value as Goal["goal_options"];
  throw new RowFault(
    "goal_options",
    `expected a list of texts or an object with text values, got ${shown(value)}`,
  );
}

function string(row: Row, field: string): string {
  const value = row[field];
  if (typeof value === "string") return value;
  throw new RowFault(field, `expected a text, got ${shown(value)}`);
}

function number(row: Row, field: string): number {
  const value = row[field];
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw new RowFault(field, `expected a number, got ${shown(value)}`);
}
