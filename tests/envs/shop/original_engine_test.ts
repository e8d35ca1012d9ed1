/**
 * Walks that were recorded in WebShop's own text environment.
 *
 * @module
 */
import { assertAlmostEquals, assertEquals } from "@std/assert";
import type { Catalogue } from "../../../envs/shop/catalogue/catalogue.ts";
import { parseProduct } from "../../../envs/shop/catalogue/parse_product.ts";
import { priceTag, type Product } from "../../../envs/shop/catalogue/product.ts";
import { readCatalogue } from "../../../envs/shop/catalogue/read_catalogue.ts";
import { orderGoals } from "../../../envs/shop/goals/order_goals.ts";
import type { Goal } from "../../../envs/shop/goals/goal.ts";
import type { Json } from "../../../envs/env.ts";
import type { Row } from "../../../envs/rows/row.ts";
import { Shop } from "../../../envs/shop/shop.ts";
import { catalogueOf, fixture } from "./_fixture.ts";

type View = readonly [
  rich: number,
  text: number,
  bar: number,
  clickables: number,
  reward: number,
  done: number,
];
interface Walk {
  readonly human: boolean;
  readonly showAttributes: boolean;
  readonly goal: number;
  readonly first: View;
  readonly steps: readonly (readonly [action: string, ...View])[];
}
interface Recording {
  readonly products: readonly Row[];
  readonly attributes: Readonly<Record<string, Row>>;
  readonly instructions: Json;
  readonly human_goals: readonly Goal[];
  readonly synthetic_goals: readonly Goal[];
  readonly loaded: Readonly<
    Record<string, readonly [string, readonly number[], Record<string, string[]>, readonly string[], string]>
  >;
  readonly texts: readonly string[];
  readonly clickables: readonly (readonly string[])[];
  readonly walks: readonly Walk[];
}
const recording = fixture<Recording>("original_engine.json");

/** The products as the recording had them: search by title words, and one price fixed. */
function catalogue(): Catalogue {
  const products: Product[] = [];
  for (const row of recording.products) {
    const product = parseProduct(row);
    if (product === null || products.some(({ asin }) => asin === product.asin)) continue;
    const attributes = recording.attributes[product.asin].attributes as readonly string[];
    products.push({ ...product, attributes });
  }
  const byWords = (query: string) => {
    const words = query.split(" ").filter((word) => word !== "");
    return recording.products
      .filter(({ name }) => words.some((word) => String(name).toLowerCase().includes(word)))
      .map(({ asin }) => String(asin)).slice(0, 50)
      .filter((asin) => products.some((product) => product.asin === asin));
  };
  return catalogueOf(products, byWords);
}

Deno.test("products are read as the original reads them", () => {
  for (
    const { asin, bullets, options, query, ...product } of [...Array(catalogue().size).keys()].map(
      catalogue().product,
    )
  ) {
    const [tag, prices, choices, points, search] = recording.loaded[asin];
    assertEquals(priceTag({ asin, bullets, options, query, ...product }), tag);
    assertEquals(product.prices.length === 0 ? [100] : [...product.prices], [...prices]);
    assertEquals(Object.fromEntries(options.map(({ name, values }) => [name, [...values]])), choices);
    assertEquals([...bullets], [...points]);
    assertEquals(query, search);
  }
});

Deno.test("walks show the same pages, buttons and rewards as in the original", () => {
  const shop = catalogue();
  let steps = 0;
  for (const walk of recording.walks) {
    const goals = walk.human ? recording.human_goals : recording.synthetic_goals;
    for (const mode of ["text_rich", "text"] as const) {
      const env = new Shop(shop);
      const payload = {
        shop: "given",
        goal: goals[walk.goal] as unknown as Json,
        mode,
        showAttributes: walk.showAttributes,
        maxTurns: 100,
      };
      let turn = env.reset({ id: "walk", kind: "walk", payload });
      const views = [["", ...walk.first] as const, ...walk.steps];
      for (const [action, rich, text, , buttons, reward, done] of views) {
        if (action !== "") turn = env.step(action);
        const where = `${action} after ${steps} steps`;
        assertEquals(turn.observation, recording.texts[mode === "text" ? text : rich], where);
        const labels = recording.clickables[buttons].filter((label) => label !== "search");
        assertEquals([...turn.admissible!], labels.map((label) => `click[${label}]`).sort(), where);
        assertAlmostEquals(turn.reward, reward, 1e-12, where);
        assertEquals(turn.done, done === 1, where);
        steps++;
      }
    }
  }
  assertEquals(steps > 500, true);
});

Deno.test("goals are the original's, in its order; only the drawn prices are our own", async () => {
  const folder = Deno.makeTempDirSync();
  try {
    const write = (name: string, value: unknown) => {
      Deno.writeTextFileSync(`${folder}/${name}`, JSON.stringify(value));
      return `${folder}/${name}`;
    };
    const files = {
      products: write("items.json", recording.products),
      attributes: write("attributes.json", recording.attributes),
      nouns: null,
      limit: null,
      badRows: 0,
    };
    const instructions = write("instructions.json", recording.instructions);
    for (
      const [file, wanted] of [[instructions, recording.human_goals], [
        null,
        recording.synthetic_goals,
      ]] as const
    ) {
      const { goals, close } = await readCatalogue({ ...files, instructions: file });
      assertEquals(orderGoals(goals).map(withoutPrice), wanted.map(withoutPrice));
      close();
    }
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

function withoutPrice(goal: Goal) {
  const { price_upper: _, ...rest } = goal;
  return { ...rest, instruction_text: rest.instruction_text.replace(/lower than [\d.]+/, "lower than N") };
}
