import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { Effect } from "effect";
import type { EngineShape } from "../../../stages/engine/engine.ts";
import { cloneWeights } from "../../../stages/engine/weights.ts";
import { tinyConfig, tinyRows, tinyWeights, withEngine } from "./_tiny.ts";

const adamw = { lr: 0.01, beta1: 0.9, beta2: 0.98, eps: 1e-8, weightDecay: 0.1, clipNorm: 1 };

function train(engine: EngineShape, from: number, to: number) {
  return Effect.gen(function* () {
    for (let step = from; step < to; step++) {
      yield* engine.accumulate(tinyRows([5, 9, 3], { seed: `step/${step}` }));
      yield* engine.optimStep(adamw);
    }
    return cloneWeights(yield* engine.weights);
  });
}

async function withFolder<A>(use: (folder: string) => Promise<A>): Promise<A> {
  const folder = await Deno.makeTempDir();
  try {
    return await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("save, load in a new engine and go on equals never having stopped, bit by bit", () =>
  withFolder(async (folder) => {
    const straight = await withEngine((e) => train(e, 0, 6));
    await withEngine((e) => Effect.andThen(train(e, 0, 3), e.save(folder)));
    const resumed = await withEngine((e) => Effect.andThen(e.load(folder), train(e, 3, 6)), {
      weights: tinyWeights(tinyConfig, 99),
    });
    assertEquals(resumed, straight);
    assertNotEquals(await withEngine((e) => train(e, 3, 6)), straight);
    const names = [...Deno.readDirSync(folder)].map((entry) => entry.name).sort();
    assertEquals(names, ["config.json", "model.safetensors", "optimizer.safetensors"]);
  }));

Deno.test("loading forgets an accumulated gradient, and the optimiser where there is no state of it", () =>
  withFolder(async (folder) => {
    await withEngine((e) => e.save(folder));
    await Deno.remove(`${folder}/optimizer.safetensors`);
    const [fresh, loaded] = await Promise.all([
      withEngine((e) => train(e, 0, 2)),
      withEngine((e) =>
        Effect.gen(function* () {
          yield* train(e, 3, 5);
          yield* e.accumulate(tinyRows([6]));
          yield* e.load(folder);
          return yield* train(e, 0, 2);
        })
      ),
    ]);
    assertEquals(loaded, fresh);
  }));

Deno.test("a checkpoint at fault is refused and changes nothing", () =>
  withFolder(async (folder) => {
    await withEngine((e) => Effect.andThen(train(e, 0, 1), e.save(folder)));
    const refuse = (config = tinyConfig) =>
      withEngine((e) =>
        Effect.gen(function* () {
          const before = cloneWeights(yield* e.weights);
          const { message } = yield* Effect.flip(e.load(folder));
          assertEquals(new Map(yield* e.weights), before);
          return message;
        }), { config });
    assertMatch(
      await refuse({ ...tinyConfig, ropeTheta: 7 }),
      /config\.json: ropeTheta is 100, the engine's model has 7/,
    );
    const path = `${folder}/optimizer.safetensors`;
    const bytes = await Deno.readFile(path);
    await Deno.writeFile(path, bytes.subarray(0, bytes.length - 4));
    assertMatch(await refuse(), /optimizer\.safetensors: .*data_offsets .* are outside/);
    const text = new TextDecoder("latin1").decode(bytes).replace('"step":"1"', '"step":"x"');
    await Deno.writeFile(path, Uint8Array.from(text, (c) => c.charCodeAt(0)));
    assertMatch(await refuse(), /optimizer\.safetensors: metadata step is "x"/);
    await Deno.remove(`${folder}/config.json`);
    assertMatch(await refuse(), /config\.json: is missing/);
  }));

Deno.test("a folder that does not exist is a FileError", async () => {
  const error = await withEngine((e) => Effect.flip(e.save("/nonexistent/folder")));
  assertEquals(error._tag, "FileError");
  assert(error.message.startsWith("/nonexistent/folder/"));
});
