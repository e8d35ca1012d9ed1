import { assert, assertAlmostEquals, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { Effect } from "effect";
import * as fc from "fast-check";
import { addLora } from "../../../stages/engine/add_lora.ts";
import { decodeGguf } from "../../../stages/engine/gguf/decode_gguf.ts";
import { ggufStorage } from "../../../stages/engine/gguf/gguf_storage.ts";
import type { LlamaConfig } from "../../../stages/engine/llama_config.ts";
import { isAdapterName } from "../../../stages/engine/lora.ts";
import { WIDENED_AT_ONCE } from "../../../stages/engine/onnx/stored_product.ts";
import { onnxEngine } from "../../../stages/engine/onnx_engine.ts";
import { quantize } from "../../../stages/engine/quantize.ts";
import { readLlamaFolder } from "../../../stages/engine/read_llama_folder.ts";
import { storedBytes, type StoredType, storeTensor } from "../../../stages/engine/stored_type.ts";
import { type StoredTensor, type Weights, widen } from "../../../stages/engine/weights.ts";
import { Generator } from "../../../stages/policy/onnx/generator.ts";
import { models, readExpected, withLayer } from "./_golden.ts";
import { gradientOf, relativeDifference, tinyConfig, tinyRows, tinyWeights } from "./_tiny.ts";

const cpu = { provider: "cpu", threads: 1 } as const;
const types = ["int8", "uint8"] as const;

Deno.test("a number is off by at most half its block's scale, and a block's extremes bound the scale", () => {
  fc.assert(fc.property(
    fc.constantFrom(...types),
    fc.array(fc.float({ min: -100, max: 100, noNaN: true }), { minLength: 64, maxLength: 64 }),
    (type, values) => {
      const tensor = { shape: [1, 64], data: Float32Array.from(values) };
      const held = quantize(tensor, type);
      const { scales } = held.blocks!;
      assertEquals(scales.length, 2);
      widen(held).data.forEach((x, i) => {
        const scale = scales[i >> 5];
        assert(
          Math.abs(x - values[i]) <= scale * 0.5001 + 1e-5,
          `${x} for ${values[i]} in steps of ${scale}`,
        );
      });
      const block = values.slice(0, 32);
      const span = type === "int8"
        ? Math.max(...block.map(Math.abs)) / 127
        : (Math.max(...block) - Math.min(...block)) / 255;
      assertAlmostEquals(scales[0], span, 1e-6);
    },
  ));
  const bad = { shape: [1, 2], data: Float32Array.of(1, NaN) };
  assertMatch(
    assertThrows(() => storeTensor(bad, "int8"), RangeError).message,
    /holds NaN, which int8 cannot/,
  );
});

/** Blocks of 32 and, in the down projection, rows that are one block. */
const config: LlamaConfig = { ...tinyConfig, hiddenSize: 64, intermediateSize: 40, headDim: 16 };

/** A model with adapters that are not at rest, its base held as `type`, and the same with that base widened. */
function models8(type: StoredType, tied: boolean, { vocabSize = config.vocabSize, bits = 8 } = {}) {
  const { config: adapted, weights } = addLora(
    { config: { ...config, tied, vocabSize }, weights: tinyWeights({ ...config, tied, vocabSize }) },
    { rank: 2, alpha: 4, targetModules: [] },
  );
  let i = 0;
  for (const [name, { data }] of weights) {
    if (isAdapterName(name)) data.forEach((_, j) => data[j] = 0.1 * Math.sin(++i));
  }
  const held = new Map<string, StoredTensor>(
    [...weights].map(([name, t]) => [name, isAdapterName(name) ? t : inBits(storeTensor(t, type), bits)]),
  );
  return {
    held: { config: { ...adapted, storage: type }, weights: held },
    wide: { config: adapted, weights: new Map([...held].map(([name, t]) => [name, widen(t)])) },
  };
}

/** As many of the highest bits of each number as there are, as low ones with a scale for it. */
function inBits(tensor: StoredTensor, bits: number): StoredTensor {
  if (tensor.blocks === undefined) return tensor;
  const data = tensor.data.slice() as Int8Array;
  const { scales, minima } = tensor.blocks;
  for (let i = 0; i < data.length; i++) data[i] >>= 8 - bits;
  return {
    ...tensor,
    data,
    blocks: { scales: scales.map((s) => s * 2 ** (8 - bits)), ...(minima && { minima }) },
  };
}

for (const type of types) {
  for (const tied of [true, false]) {
    Deno.test(`${type}, ${tied ? "tied" : "untied"} head: the engine computes with the widened numbers`, async () => {
      const { held, wide } = models8(type, tied);
      const rows = tinyRows([9, 5], { entropy: true, config: held.config });
      const measure = (model: { config: LlamaConfig; weights: Weights }, options = {}) =>
        withLayer(onnxEngine(model, { ...cpu, ...options }), (e) =>
          Effect.gen(function* () {
            const { logprobs } = yield* e.logprobs(rows.map(({ ids }) => ids));
            const base = yield* e.reference!(rows.map(({ ids }) => ids));
            yield* e.accumulate(rows);
            const gradient = yield* gradientOf(e);
            return [...logprobs, ...base.logprobs, gradient];
          }));
      const expected = await measure(wide);
      const changes: object[] = [{}, { recompute: true }, { logitBudget: 13 * 3 }];
      for (const options of changes) {
        (await measure(held, options)).forEach((found, i) =>
          assert(relativeDifference(found, expected[i]) < 1e-5, `${i} with ${JSON.stringify(options)}`)
        );
      }
    });

    Deno.test(`${type}, ${tied ? "tied" : "untied"} head: the sampler samples from the widened numbers`, async () => {
      const sample = async (
        { config, weights }: { config: LlamaConfig; weights: Weights },
        packWeights?: boolean,
      ) => {
        const generator = await Generator.create({ config, weights, packWeights, stopIds: new Set() });
        const request = { ids: [1, 2, 3], maxTokens: 12, temperature: 1, seed: "a", session: "a" };
        return (await generator.generate([request]).finally(() => generator.close()))[0];
      };
      for (const bits of [8, 4]) {
        const { held, wide } = models8(type, tied, { bits });
        const expected = await sample(wide);
        for (const packWeights of [false, true]) {
          const found = await sample(held, packWeights);
          assertEquals(found.ids, expected.ids);
          assert(relativeDifference(found.logprobs, expected.logprobs) < 1e-5, `${bits} bits`);
        }
      }
    });
  }
}

Deno.test("a matrix that is widened in parts gives what it gives as a whole", async () => {
  const vocabSize = Math.ceil(WIDENED_AT_ONCE / config.hiddenSize) + 1;
  const { held, wide } = models8("uint8", true, { vocabSize });
  assertEquals(Math.ceil(vocabSize * config.hiddenSize / WIDENED_AT_ONCE), 2);
  const rows = [{ ids: [1, vocabSize - 1, 7, vocabSize >> 1], weights: [0, 1, -1, 2] }];
  const measure = (model: { config: LlamaConfig; weights: Weights }) =>
    withLayer(onnxEngine(model, cpu), (e) =>
      Effect.gen(function* () {
        const { logprobs } = yield* e.accumulate(rows);
        return [logprobs[0], yield* gradientOf(e)];
      }));
  const expected = await measure(wide);
  (await measure(held)).forEach((found, i) => assert(relativeDifference(found, expected[i]) < 1e-5));
});

for (const name of ["smollm2", "qwen3", "phi3"]) {
  Deno.test(`${name}: adapters on a base in int8 compute with its widened numbers, near PEFT's`, async () => {
    const folder = `${models}/${name}/lora`;
    const { config, weights } = await Effect.runPromise(readLlamaFolder(folder, "int8"));
    assertEquals(config.storage, "int8");
    for (const [n, { shape, data, blocks }] of weights) {
      const frozen = shape.length === 2 && !isAdapterName(n);
      assertEquals([data.BYTES_PER_ELEMENT, blocks !== undefined], frozen ? [1, true] : [4, false], n);
    }
    const { storage: _, ...plain } = config;
    const { rows, temperature } = readExpected(folder);
    const measure = (model: { config: LlamaConfig; weights: Weights }) =>
      withLayer(onnxEngine(model, cpu), (e) =>
        Effect.gen(function* () {
          const { logprobs } = yield* e.accumulate(rows, { temperature });
          return {
            logprobs: logprobs.flatMap((row) => [...row.subarray(1)]),
            gradient: yield* gradientOf(e),
          };
        }));
    const wide = new Map([...weights].map(([n, tensor]) => [n, widen(tensor)]));
    const [found, expected] = [
      await measure({ config, weights }),
      await measure({ config: plain, weights: wide }),
    ];
    assert(relativeDifference(found.logprobs, expected.logprobs) < 1e-5);
    assert(relativeDifference(found.gradient, expected.gradient) < 1e-5);
    const gap = relativeDifference(found.logprobs, rows.flatMap((row) => row.logprobs));
    assert(gap < 0.1, `${gap}`);
  });
}

Deno.test("a GGUF file's quantised matrices keep the very numbers of their blocks", () => {
  const bytes = Deno.readFileSync("fixtures/gguf/formats.gguf");
  const natural = decodeGguf(bytes, "m.gguf", (_, tensor) => tensor).tensors;
  const wide = decodeGguf(bytes, "m.gguf").tensors;
  const kinds = { Q4_0: "int8", Q8_0: "int8", Q4_1: "uint8", Q4_K: "uint8" } as const;
  for (const [name, type] of Object.entries(kinds)) {
    const tensor = natural.get(name)!;
    assertEquals(tensor.data.length, wide.get(name)!.data.length);
    assert(storeTensor(tensor, type) === tensor, name);
    assertEquals(
      storedBytes(type, tensor.shape),
      [tensor.data, ...Object.values(tensor.blocks!)]
        .reduce((sum, { byteLength }) => sum + byteLength, 0),
    );
    // Blocks without minima go among those with them unchanged.
    assertEquals(widen(storeTensor(tensor, "uint8")), wide.get(name), name);
  }
  const entry = (type: number, shape = [2, 32]) => ({ name: "a", shape, type, offset: 0 });
  assertEquals(ggufStorage({ entries: [entry(8), entry(2), entry(0)] }, "int8"), "int8");
  assertEquals(ggufStorage({ entries: [entry(8), entry(3)] }, "int8"), "uint8");
  assertEquals(ggufStorage({ entries: [entry(12)] }, "float16"), "float16");
});
