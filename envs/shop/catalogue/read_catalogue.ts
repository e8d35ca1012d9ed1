import { FileError } from "../../../stages/errors.ts";
import { type JsonElement, jsonElements } from "../../rows/json_elements.ts";
import { type Row, RowFault, shown, text, texts } from "../../rows/row.ts";
import type { Goal } from "../goals/goal.ts";
import { humanGoals } from "../goals/human_goals.ts";
import { syntheticGoals, weighGoals } from "../goals/synthetic_goals.ts";
import { guessNouns } from "../reward/guess_nouns.ts";
import { SearchIndex } from "../search/search_index.ts";
import { type Catalogue, searchText } from "./catalogue.ts";
import { parseProduct } from "./parse_product.ts";
import { RowFaults } from "./row_faults.ts";
import { StoredProducts } from "./stored_products.ts";

/** WebShop's files, which the user has. */
export interface CatalogueFiles {
  /** `items_shuffle.json`: a list of products. */
  readonly products: string;
  /** `items_ins_v2.json`: attributes and machine-made instructions by ASIN. */
  readonly attributes: string | null;
  /** `items_human_ins.json`: people's instructions by ASIN; null makes machine-made goals. */
  readonly instructions: string | null;
  /** Nouns of titles: an object from title to list; null guesses them. */
  readonly nouns: string | null;
  /** Rows of `products` that are read; null is all. */
  readonly limit: number | null;
  /** Largest share of a file's rows that may be left out as malformed. */
  readonly badRows: number;
}

/** What {@link readCatalogue} gives. */
export interface OpenCatalogue {
  readonly catalogue: Catalogue;
  /** In the order of the products, before any shuffle. */
  readonly goals: readonly Goal[];
  readonly close: () => void;
}

/**
 * Reads and indexes a catalogue, one product in memory at a time. `warn` is told of
 * rows that were left out.
 *
 * @throws FileError that names file, row and field.
 */
export async function readCatalogue(
  files: CatalogueFiles,
  warn: (message: string) => void = () => {},
): Promise<OpenCatalogue> {
  const stored = new StoredProducts(files.products);
  const index = new SearchIndex();
  const eachRow = async (path: string, parse: (element: JsonElement) => void, limit = Infinity) => {
    const faults = new RowFaults(path, files.badRows);
    for await (const element of jsonElements(path)) {
      if (element.row >= limit) break;
      faults.read(element.row, () => parse(element));
    }
    faults.finish(warn);
  };
  try {
    await eachRow(files.products, ({ value, from, to }) => {
      const product = parseProduct(object(value));
      if (product !== null && stored.add(product.asin, from, to)) {
        index.add(product.asin, searchText(product));
      }
    }, files.limit ?? Infinity);
    if (stored.size === 0) throw new FileError({ path: files.products, reason: "no products" });
    const goals = await readGoals(files, stored, eachRow);
    const nouns = await readNouns(files.nouns, eachRow);
    const catalogue: Catalogue = {
      id: `${files.products}/${stored.size}`,
      size: stored.size,
      index,
      product: (number) => stored.product(number),
      find: (asin) => stored.find(asin),
      nouns: (title) => nouns.get(title) ?? guessNouns(title),
    };
    return { catalogue, goals, close: () => stored.close() };
  } catch (error) {
    stored.close();
    throw error;
  }
}

type EachRow = (path: string, parse: (element: JsonElement) => void) => Promise<void>;

/** Sets the attributes of products and makes the goals. */
async function readGoals(files: CatalogueFiles, stored: StoredProducts, eachRow: EachRow) {
  const made = new Map<number, () => readonly Goal[]>();
  if (files.attributes !== null) {
    await eachRow(files.attributes, ({ key, value }) => {
      const number = stored.find(key);
      if (number === undefined) return;
      const row = object(value, key);
      if (row.attributes !== undefined) stored.setAttributes(number, texts(row, "attributes"));
      if (files.instructions !== null || (row.instruction ?? null) === null) return;
      const instruction = text(row, "instruction");
      const attributes = texts(row, "instruction_attributes");
      if (attributes.length === 0) {
        throw new RowFault("instruction_attributes", `expected at least one for ${key}`);
      }
      made.set(number, () => syntheticGoals(stored.product(number), { instruction, attributes }));
    });
  }
  if (files.instructions !== null) {
    await eachRow(files.instructions, ({ key, value }) => {
      const number = stored.find(key);
      if (number === undefined) return;
      const goals = humanGoals(stored.product(number), value);
      made.set(number, () => goals);
    });
  }
  const goals = [...made.keys()].sort((a, b) => a - b).flatMap((number) => made.get(number)!());
  return files.instructions === null ? weighGoals(goals) : goals;
}

async function readNouns(path: string | null, eachRow: EachRow) {
  const nouns = new Map<string, readonly string[]>();
  if (path === null) return nouns;
  await eachRow(path, ({ key, value }) => {
    nouns.set(key, texts({ [key]: value as Row[string] }, key).map((noun) => noun.toLowerCase()));
  });
  return nouns;
}

function object(value: unknown, field = "(row)"): Row {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Row;
  throw new RowFault(field, `expected an object, got ${shown(value)}`);
}
