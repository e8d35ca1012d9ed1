import { Schema } from "effect";
import { count, Fraction, key, section, Text } from "./_key.ts";
import { ScienceWorldConfig } from "./scienceworld_config.ts";

const file = (split: string) =>
  key(
    Schema.NullOr(Text),
    null,
    `file with the rows of split ${split}, JSON lines or one JSON array, for environments that read their tasks`,
  );

const shopFile = (what: string) =>
  key(Schema.NullOr(Text), null, `file with ${what} of task.environment shop, in WebShop's form`);

/** Section `data.shop`: the catalogue of task.environment shop. */
const ShopConfig = Schema.Struct({
  products: shopFile("the products (items_shuffle.json); null = generated shops; the file"),
  attributes: shopFile("the products' attributes and machine-made instructions (items_ins_v2.json)"),
  instructions: shopFile(
    "people's instructions (items_human_ins.json); null = machine-made ones; the file",
  ),
  nouns: shopFile("the nouns of titles, an object from title to list; null = guessed; the file"),
  limit: key(Schema.NullOr(count(1)), null, "products that are read; null = all"),
  pages: key(
    Schema.Literals(["text_rich", "text"]),
    "text_rich",
    "how pages of task.environment shop are written: text_rich marks buttons, text is one line",
  ),
  rules: key(
    Schema.Literals(["webshop", "r3l"]),
    "webshop",
    "rules of task.environment shop: webshop's own, or r3l, the authors' prompts, tags and endings",
  ),
});

/** Section `data`: where tasks are read from and how their answers are written. */
export const DataConfig = Schema.Struct({
  train: file("train"),
  valid: file("valid"),
  test: file("test"),
  alfworld: key(
    Schema.NullOr(Text),
    null,
    "ALFWorld's games, a folder or the zip file of a release; null = the environment variable ALFWORLD_DATA",
  ),
  bad_rows: key(Fraction, 0, "largest share of malformed rows that are left out; more is an error"),
  math_answer: key(
    Schema.Literals(["boxed", "hashes"]),
    "boxed",
    "how answers to mathematical questions are written: boxed, or hashes for a number behind ####",
  ),
  call_format: key(
    Schema.Literals(["json", "llama3", "mistral", "openai", "deepseek", "python"]),
    "json",
    "wire format of function calls",
  ),
  shop: section(ShopConfig),
  scienceworld: section(ScienceWorldConfig),
});
/** What {@link DataConfig} decodes to. */
export type DataConfig = typeof DataConfig.Type;
