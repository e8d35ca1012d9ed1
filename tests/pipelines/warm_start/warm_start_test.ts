import { assert, assertEquals } from "@std/assert";
import { Effect } from "effect";
import { warmStart } from "../../../pipelines/verbs/warm_start.ts";
import { type Recipe, recipes, tinyModel } from "../../../pipelines/warm_start/recipe.ts";
import { supervisedBatches } from "../../../pipelines/warm_start/supervised_batches.ts";

const recipe: Recipe = {
  ...recipes.household,
  model: {
    ...tinyModel,
    hiddenSize: 32,
    intermediateSize: 64,
    layers: 1,
    heads: 1,
    kvHeads: 1,
  },
  phases: [
    { curriculum: "capable", firstTask: 0, tasks: 40, epochs: 1, lr: 3e-3 },
    { curriculum: "flawed", firstTask: 40, tasks: 10, epochs: 1, lr: 1e-3 },
  ],
};

Deno.test("a recipe gives one and the same policy folder, and it learns", async () => {
  const folder = Deno.makeTempDirSync();
  try {
    const notes: string[] = [];
    const make = (out: string) => Effect.runPromise(warmStart(recipe, out, 1, (text) => notes.push(text)));
    await make(`${folder}/a`);
    await make(`${folder}/b`);
    for (const name of ["config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"]) {
      assertEquals(Deno.readFileSync(`${folder}/a/${name}`), Deno.readFileSync(`${folder}/b/${name}`), name);
    }
    const losses = notes.flatMap((text) => /mean loss ([\d.]+)/.exec(text)?.[1] ?? []).map(Number);
    assertEquals(losses.length, 4);
    assert(losses[1] < losses[0] - 0.3, `losses ${losses}`);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test("with fresh moments a later phase can be made again from what the one before it left", async () => {
  const folder = Deno.makeTempDirSync();
  const make = (some: Partial<Recipe>, out: string) =>
    Effect.runPromise(warmStart({ ...recipe, ...some }, `${folder}/${out}`, 1, () => {}));
  const read = (out: string) => Deno.readFileSync(`${folder}/${out}/model.safetensors`);
  try {
    const [first, second] = recipe.phases;
    await make({ freshMoments: true }, "whole");
    await make({ phases: [first] }, "first");
    await make({ model: `${folder}/first`, phases: [second] }, "second");
    assertEquals(read("second"), read("whole"));
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test("batches hold every row once", () => {
  const rows = Array.from({ length: 37 }, (_, i) => ({ ids: Array(1 + i % 9).fill(i), weights: [] }));
  const batches = supervisedBatches(rows, 4, "seed");
  assertEquals(batches.flat().map((row) => row.ids[0]).sort((a, b) => a - b), rows.map((_, i) => i));
  assert(batches.every((batch) => batch.length <= 4));
  assertEquals(batches, supervisedBatches(rows, 4, "seed"));
});
