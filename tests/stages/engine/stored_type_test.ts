import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { Effect, Layer } from "effect";
import * as fc from "fast-check";
import { mergeLora } from "../../../stages/engine/merge_lora.ts";
import { isAdapterName } from "../../../stages/engine/lora.ts";
import { onnxEngine, type OnnxEngineOptions } from "../../../stages/engine/onnx_engine.ts";
import { readLlamaFolder } from "../../../stages/engine/read_llama_folder.ts";
import { storeTensor } from "../../../stages/engine/stored_type.ts";
import { Generator } from "../../../stages/policy/onnx/generator.ts";
import { fourBitMatrix } from "../../../stages/policy/onnx/graphs/four_bits.ts";
import { widen } from "../../../stages/engine/weights.ts";
import { decodeWeights } from "../../../stages/policy/onnx/graphs/decode_weights.ts";
import { checkGoldens, models, readExpected, withLayer } from "./_golden.ts";
import { relativeDifference } from "./_tiny.ts";

/** What half precision of the frozen matrices may cost. */
const HALF = 2e-2;
const half = (folder: string) => Effect.runPromise(readLlamaFolder(folder, "float16"));
const cpu = { provider: "cpu", threads: 1 } as const;

for (const name of ["smollm2", "qwen3", "phi3"]) {
  const folder = `${models}/${name}/lora`;

  Deno.test(`${name}: adapters on a base in float16 agree with PEFT in float32`, async () => {
    const model = await half(folder);
    for (const [n, { shape, data }] of model.weights) {
      assertEquals(data.BYTES_PER_ELEMENT, shape.length === 2 && !isAdapterName(n) ? 2 : 4, n);
    }
    // An engine trains its model in place: each one gets its own.
    const fresh = (options: OnnxEngineOptions) =>
      Layer.unwrap(Effect.map(readLlamaFolder(folder, "float16"), (model) => onnxEngine({ model }, options)));
    await checkGoldens(folder, fresh(cpu), HALF);
    await checkGoldens(folder, fresh({ ...cpu, recompute: true, logitBudget: 40 * 7 }), HALF);
  });

  Deno.test(`${name}: the sampler shares a base in float16 and samples what the engine scores`, async () => {
    const model = await half(folder);
    const { config, weights } = model;
    for (const [n, { data }] of decodeWeights(config, weights)) {
      if (data.BYTES_PER_ELEMENT === 2) assert(data === weights.get(n)!.data, n);
    }
    const { ids } = readExpected(folder).rows[1];
    const generator = await Generator.create({
      config,
      weights,
      stopIds: new Set(),
      sessionOptions: { intraOpNumThreads: 1 },
    });
    const request = { ids, maxTokens: 12, temperature: 1, seed: "a", session: "a" };
    const [sampled] = await generator.generate([request]).finally(() => generator.close());
    const { logprobs } = await withLayer(
      onnxEngine({ model }, cpu),
      (e) => e.logprobs([[...ids, ...sampled.ids]]),
    );
    assert(relativeDifference(sampled.logprobs, logprobs[0].subarray(ids.length)) < 1e-4);
  });
}

Deno.test("merged adapters are a model in float32", async () => {
  const { config, weights } = mergeLora(await half(`${models}/smollm2/lora`));
  assertEquals(config.storage, undefined);
  assert([...weights.values()].every(({ data }) => data.BYTES_PER_ELEMENT === 4));
});

Deno.test("float16 holds numbers of bfloat16 exactly from 2^-17 on, smaller ones within 2^-24", () => {
  const bits = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 });
  fc.assert(fc.property(bits, (bits) => {
    const brain = new Float32Array(Uint32Array.from(bits, (x) => x << 16).buffer).filter((x) =>
      Math.abs(x) < 65504
    );
    const { data } = storeTensor({ shape: [1, brain.length], data: brain }, "float16");
    data.forEach((x, i) => {
      if (Math.abs(brain[i]) >= 2 ** -17) assertEquals(x, brain[i]);
      else assert(Math.abs(x - brain[i]) <= 2 ** -24);
    });
  }));
});

Deno.test("what cannot be held in float16 is refused", async () => {
  const tensor = { shape: [1, 2], data: Float32Array.of(1, 70000) };
  assertMatch(assertThrows(() => storeTensor(tensor, "float16"), RangeError).message, /holds 70000, which/);
  const model = await half(`${models}/qwen2`);
  const error = await Effect.runPromise(Effect.flip(withLayerEffect(model)));
  assertMatch(error.message, /held in float16, but all of them are to be trained: train adapters/);
});

function withLayerEffect(model: Awaited<ReturnType<typeof half>>) {
  return Effect.void.pipe(Effect.provide(onnxEngine({ model }, cpu)));
}

Deno.test("blocks without minima keep their numbers beside blocks with some, and four bits stay four bits", () => {
  const scales = Float32Array.of(0.5, 2);
  for (const [few, least, most] of [[true, -8, 7], [false, -128, 127]] as const) {
    const data = Int8Array.from({ length: 64 }, (_, i) => i === 0 ? least : i === 63 ? most : i % 16 - 8);
    const tensor = { shape: [1, 64], data, blocks: { scales } };
    const held = storeTensor(tensor, "uint8");
    assertEquals([...widen(held).data], [...widen(tensor).data]);
    assertEquals(fourBitMatrix(held).planes, few ? 1 : 2);
  }
});
