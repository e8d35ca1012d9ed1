import { assert, assertEquals, assertMatch, assertNotEquals, assertThrows } from "@std/assert";
import { Effect } from "effect";
import { addLora } from "../../../stages/engine/add_lora.ts";
import { isAdapterName } from "../../../stages/engine/lora.ts";
import { mergeLora } from "../../../stages/engine/merge_lora.ts";
import { onnxEngine, type OnnxEngineOptions } from "../../../stages/engine/onnx_engine.ts";
import { type LlamaModel, readLlamaFolder } from "../../../stages/engine/read_llama_folder.ts";
import { Generator } from "../../../stages/policy/onnx/generator.ts";
import { checkGoldens, models, readExpected, TOLERANCE, withLayer } from "./_golden.ts";
import { relativeDifference } from "./_tiny.ts";

const cpu: OnnxEngineOptions = { provider: "cpu", threads: 1 };
const adamw = { lr: 0.05, beta1: 0.9, beta2: 0.98, eps: 1e-8, weightDecay: 0, clipNorm: 0 };
const read = (folder: string) => Effect.runPromise(readLlamaFolder(folder));

async function greedy({ config, weights }: LlamaModel, ids: number[], packWeights = false) {
  const sessionOptions = { intraOpNumThreads: 1 };
  const generator = await Generator.create({
    config,
    weights,
    packWeights,
    stopIds: new Set(),
    sessionOptions,
  });
  const request = { ids, maxTokens: 12, temperature: 0, seed: "a", session: "a" };
  return (await generator.generate([request]).finally(() => generator.close()))[0];
}

for (const name of ["smollm2", "qwen3", "phi3"]) {
  const base = `${models}/${name}`;
  const folder = `${base}/lora`;
  const { rows, greedy: expected, temperature } = readExpected(folder);
  const ids = rows.map((row) => row.ids);

  Deno.test(`${name}: adapters of PEFT give its log-probabilities, gradients and step`, async () => {
    await checkGoldens(folder, onnxEngine({ folder }, cpu));
    // The head in chunks, as with a large vocabulary.
    await checkGoldens(folder, onnxEngine({ folder }, { ...cpu, logitBudget: 40 * 7 }));
  });

  Deno.test(`${name}: the sampler uses base and adapters, merged or not`, async () => {
    const model = await read(folder);
    const merged = mergeLora(model);
    assertEquals([...merged.weights.keys()], [...(await read(base)).weights.keys()]);
    for (const variant of [model, merged]) {
      for (const packWeights of [false, true]) {
        const found = await greedy(variant, ids[0], packWeights);
        assertEquals(found.ids, expected.ids);
        assert(relativeDifference(found.logprobs, expected.logprobs) < TOLERANCE);
      }
    }
  });

  Deno.test(`${name}: only adapters move, and the reference stays the base`, async () => {
    const plain = await withLayer(onnxEngine({ folder: base }, cpu), (e) => {
      assertEquals(e.reference, undefined);
      return e.logprobs(ids, { temperature });
    });
    await withLayer(
      onnxEngine({ folder: base }, { ...cpu, lora: { rank: 2, alpha: 4, targetModules: [] } }),
      (e) =>
        Effect.gen(function* () {
          // B is zero at first.
          assertEquals((yield* e.logprobs(ids, { temperature })).logprobs, plain.logprobs);
          const before = new Map([...yield* e.weights].map(([n, t]) => [n, t.data.slice()]));
          for (let step = 0; step < 2; step++) {
            yield* e.accumulate(rows, { temperature });
            yield* e.optimStep(adamw);
          }
          for (const [n, { data }] of yield* e.weights) {
            assertEquals(data.some((x, i) => x !== before.get(n)![i]), isAdapterName(n), n);
          }
          assertNotEquals((yield* e.logprobs(ids, { temperature })).logprobs, plain.logprobs);
          assertEquals((yield* e.reference!(ids, { temperature })).logprobs, plain.logprobs);
        }),
    );
  });
}

Deno.test("the reference of adapters that training continues is what they were at its start", async () => {
  const folder = `${models}/smollm2/lora`;
  const { rows, temperature } = readExpected(folder);
  const ids = rows.map((row) => row.ids);
  await withLayer(onnxEngine({ folder }, cpu), (e) =>
    Effect.gen(function* () {
      const start = (yield* e.logprobs(ids, { temperature })).logprobs;
      yield* e.accumulate(rows, { temperature });
      yield* e.optimStep(adamw);
      assertNotEquals((yield* e.logprobs(ids, { temperature })).logprobs, start);
      assertEquals((yield* e.reference!(ids, { temperature })).logprobs, start);
    }));
});

Deno.test("adapters are saved as PEFT reads them and go on where they were", async () => {
  const folder = `${models}/smollm2/lora`;
  const { rows } = readExpected(folder);
  const saved = await Deno.makeTempDir();
  const step = (e: Parameters<Parameters<typeof withLayer>[1]>[0]) =>
    Effect.andThen(e.accumulate(rows), e.optimStep(adamw));
  try {
    const whole = await withLayer(onnxEngine({ folder }, cpu), (e) =>
      Effect.gen(function* () {
        yield* step(e);
        yield* e.save(saved);
        yield* step(e);
        return [...yield* e.weights];
      }));
    const files = [...Deno.readDirSync(saved)].map((f) => f.name).sort();
    assertEquals(files, [
      "adapter_config.json",
      "adapter_model.safetensors",
      "config.json",
      "optimizer.safetensors",
    ]);
    const [theirs, ours] = [folder, saved].map((f) =>
      JSON.parse(Deno.readTextFileSync(`${f}/adapter_config.json`))
    );
    for (const [key, value] of Object.entries(ours)) {
      const sorted = (v: unknown) => Array.isArray(v) ? [...v].sort() : v;
      assertEquals(sorted(value), sorted(theirs[key]), key);
    }
    // In a new engine of the same start, and in one that starts from what was saved.
    for (const start of [folder, saved]) {
      const again = await withLayer(onnxEngine({ folder: start }, cpu), (e) =>
        Effect.gen(function* () {
          yield* e.load(saved);
          yield* step(e);
          return [...yield* e.weights];
        }));
      assertEquals(again, whole);
    }
  } finally {
    await Deno.remove(saved, { recursive: true });
  }
});

Deno.test("adapters that do not fit are refused with their field", async () => {
  const model = await read(`${models}/qwen2`);
  const lora = { rank: 2, alpha: 4, targetModules: ["q_proj"] };
  const refused = (change: object, to: LlamaModel = model) =>
    assertThrows(() => addLora(to, { ...lora, ...change }), RangeError).message;
  assertMatch(
    refused({ targetModules: ["qkv_proj"] }),
    /Cannot adapt qkv_proj: .* are q_proj, k_proj, v_proj, o_proj,/,
  );
  assertMatch(refused({ rank: 0 }), /rank 0/);
  assertMatch(refused({ alpha: NaN }), /alpha NaN/);
  const adapted = addLora(model, lora);
  assertEquals(addLora(adapted, { ...lora, targetModules: [] }), adapted);
  assertMatch(refused({ rank: 3 }, adapted), /rank 3, alpha 4 for q_proj: .* rank 2, alpha 4 for q_proj/);

  const source = `${models}/smollm2/lora`;
  const config = JSON.parse(Deno.readTextFileSync(`${source}/adapter_config.json`));
  const folder = await Deno.makeTempDir();
  const fault = async (change: object) => {
    Deno.writeTextFileSync(`${folder}/adapter_config.json`, JSON.stringify({ ...config, ...change }));
    return (await Effect.runPromise(Effect.flip(readLlamaFolder(folder)))).message;
  };
  try {
    Deno.copyFileSync(`${source}/adapter_model.safetensors`, `${folder}/adapter_model.safetensors`);
    assertMatch(
      await fault({ peft_type: "IA3" }),
      /adapter_config\.json: peft_type is "IA3", expected "LORA"/,
    );
    assertMatch(await fault({ use_dora: true }), /use_dora is true/);
    assertMatch(await fault({ rank_pattern: { q_proj: 4 } }), /rank_pattern is \{"q_proj":4\}/);
    assertMatch(
      await fault({ base_model_name_or_path: "no/where" }),
      /base_model_name_or_path is "no\/where"/,
    );
    assertMatch(await fault({ r: 4 }), /lora_A\.weight has shape \[3,16\], expected \[4,16\]/);
    assertMatch(await fault({ target_modules: ["q_proj"] }), /belongs to no target/);
    assertMatch(await fault({ target_modules: "all-linear" }), /k_proj\.lora_A\.weight is missing/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
