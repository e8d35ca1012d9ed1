import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import fc from "fast-check";
import { jsonElements } from "../../../envs/rows/json_elements.ts";
import { type CatalogueFiles, readCatalogue } from "../../../envs/shop/catalogue/read_catalogue.ts";
import { splitGoals } from "../../../envs/shop/goals/order_goals.ts";
import type { Goal } from "../../../envs/shop/goals/goal.ts";
import { PythonRandom } from "../../../envs/shop/goals/python_random.ts";
import { FileError } from "../../../stages/errors.ts";
import { fixture } from "./_fixture.ts";

const row = (asin: string, fields: Record<string, unknown> = {}) => ({
  asin,
  name: `lamp ${asin}`,
  category: "garden",
  query: "lamps",
  product_category: "Home › Lamps",
  full_description: "a lamp",
  small_description: ["bright"],
  pricing: "$9.99",
  customization_options: { Color: [{ value: "Red/Blue", image: null }] },
  ...fields,
});

async function withFiles(
  contents: Partial<Record<"products" | "attributes" | "instructions" | "nouns", unknown>>,
  run: (files: CatalogueFiles) => Promise<void>,
) {
  const folder = Deno.makeTempDirSync();
  try {
    const path = (name: keyof typeof contents) => {
      const content = contents[name];
      if (content === undefined) return null;
      Deno.writeTextFileSync(
        `${folder}/${name}`,
        typeof content === "string" ? content : JSON.stringify(content),
      );
      return `${folder}/${name}`;
    };
    await run({
      products: path("products") ?? `${folder}/none`,
      attributes: path("attributes"),
      instructions: path("instructions"),
      nouns: path("nouns"),
      limit: null,
      badRows: 0,
    });
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

async function fault(contents: Parameters<typeof withFiles>[0]): Promise<string> {
  let message = "";
  await withFiles(contents, async (files) => {
    const error = await assertRejects(() => readCatalogue(files), FileError);
    message = error.message;
    assert(!message.includes("\n"), message);
  });
  return message;
}

Deno.test("what is wrong with a file is said with file, row and field", async () => {
  const products = (fields: Record<string, unknown>) => ({ products: [row("B1"), row("B2", fields)] });
  assertMatch(await fault(products({ name: 7 })), /products: 1 of 2 rows .*: row 2, field name: .* got 7$/);
  assertMatch(await fault(products({ pricing: "cheap" })), /row 2, field pricing: .* got "cheap"$/);
  assertMatch(await fault(products({ pricing: "$1.2.3" })), /row 2, field pricing/);
  assertMatch(await fault(products({ small_description: [1] })), /row 2, field small_description/);
  assertMatch(await fault(products({ customization_options: [] })), /row 2, field customization_options/);
  assertMatch(
    await fault(products({ customization_options: { Size: [{}] } })),
    /row 2, field customization_options.Size/,
  );
  assertMatch(await fault({ products: "{}" }), /products: no products$/);
  assertMatch(await fault({ products: "[1, 2" }), /products: ends early, in row 2$/);
  assertMatch(await fault({ products: "[{]" }), /products: ends early, in row 1$/);
  assertMatch(await fault({ products: '[{"a" 1}]' }), /products: row 1: not JSON/);
  assertMatch(await fault({ products: "7" }), /products: expected an array or an object$/);
  assertMatch(await fault({ products: "[] []" }), /products: more text after its end$/);
  assertMatch(await fault({}), /none: /);
  const one = { products: [row("B1")] };
  assertMatch(
    await fault({ ...one, attributes: { B1: { attributes: "soft" } } }),
    /attributes: .*row 1, field attributes/,
  );
  assertMatch(
    await fault({ ...one, instructions: { B1: [{ instruction: "x" }] } }),
    /instructions: .*row 1, field instruction_attributes/,
  );
  assertMatch(await fault({ ...one, nouns: { "lamp B1": "lamp" } }), /nouns: .*row 1, field lamp B1/);
});

Deno.test("a stated share of malformed rows is left out and told", async () => {
  await withFiles({ products: [row("B1"), row("B2", { asin: 2 }), row("B3"), row("nan")] }, async (files) => {
    const warnings: string[] = [];
    const { catalogue, close } = await readCatalogue(
      { ...files, badRows: 0.25 },
      (text) => warnings.push(text),
    );
    assertEquals(catalogue.size, 2);
    assertEquals(warnings.length, 1);
    assertMatch(warnings[0], /1 of 4 rows left out; first: row 2, field asin/);
    close();
  });
});

Deno.test("products are read again from the file when they are needed, and a changed file is an error", async () => {
  const rows = Array.from({ length: 5000 }, (_, i) => row(`B${i}`, { name: `lämp "${i}" 日本 \\` }));
  await withFiles({ products: rows, attributes: { B4999: { attributes: ["soft"] } } }, async (files) => {
    const { catalogue, close } = await readCatalogue({ ...files, limit: 4999 });
    assertEquals([catalogue.size, catalogue.find("B4999")], [4999, undefined]);
    for (const i of [0, 4998, 17, 17]) {
      assertEquals(catalogue.product(i).title, `lämp "${i}" 日本 \\`);
      assertEquals(catalogue.product(i).options, [{ name: "color", values: ["red | blue"] }]);
    }
    assertEquals(catalogue.index.search("4321", 3).map(({ doc }) => doc), [4321]);
    close();
    Deno.writeTextFileSync(files.products, JSON.stringify(rows.slice(0, 10)));
    const error = await assertRejects(() => Promise.resolve().then(() => catalogue.product(3000)), FileError);
    assertMatch(error.message, /cannot read product 3001 again/);
    close();
  });
});

Deno.test("elements of any JSON file are JSON.parse's, wherever chunks end", async () => {
  const path = Deno.makeTempFileSync();
  try {
    const check = async (value: unknown, indent?: number) => {
      const text = JSON.stringify(value, null, indent);
      Deno.writeTextFileSync(path, text);
      const bytes = Deno.readFileSync(path);
      const read: [string, unknown][] = [];
      for await (const { key, value, from, to } of jsonElements(path)) {
        read.push([key, value]);
        assertEquals(JSON.parse(new TextDecoder().decode(bytes.subarray(from, to))), value);
      }
      const expected = Array.isArray(value)
        ? value.map((item) => ["", item])
        : Object.entries(value as object);
      assertEquals(read, expected as [string, unknown][]);
    };
    const values = fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()));
    await fc.assert(
      fc.asyncProperty(values, fc.constantFrom(undefined, 2), async (value, indent) => {
        await check(JSON.parse(JSON.stringify(value)), indent);
      }),
      { numRuns: 60 },
    );
    await check(Array.from({ length: 9000 }, (_, i) => ({ text: `${'é\\"'.repeat(20)}${i}` })));
  } finally {
    Deno.removeSync(path);
  }
});

Deno.test("goals are shuffled as CPython shuffles them, and split customarily where there are enough", () => {
  const { first, last, ten } = fixture<Record<string, number[]>>("python_shuffle.json");
  const order = new PythonRandom(233).shuffle(Array.from({ length: 12087 }, (_, i) => i));
  assertEquals(order.slice(0, 20), first);
  assertEquals(order.slice(-20), last);
  assertEquals(new PythonRandom(233).shuffle([...Array(10).keys()]), ten);
  const sizes = (count: number) => {
    const { test, valid, train } = splitGoals(
      Array.from({ length: count }, (_, i) => ({ asin: `${i}` }) as Goal),
    );
    return [test.length, valid.length, train.length];
  };
  assertEquals(sizes(12087), [500, 1000, 10587]);
  assertEquals(sizes(60), [10, 10, 40]);
});
