import { assert, assertEquals } from "@std/assert";
import { planMemory } from "../../../pipelines/planning/plan_memory.ts";
import { addLora } from "../../../stages/engine/add_lora.ts";
import { initLlamaWeights } from "../../../stages/engine/init_llama_weights.ts";
import type { LlamaConfig } from "../../../stages/engine/llama_config.ts";
import { isAdapterName } from "../../../stages/engine/lora.ts";
import { storeTensor } from "../../../stages/engine/stored_type.ts";
import { decodeConstants, packedMatrices } from "../../../stages/policy/onnx/graphs/decode_constants.ts";

const lora = { rank: 8, alpha: 16, targetModules: [] };
const smollm = {
  vocabSize: 49152,
  hiddenSize: 576,
  intermediateSize: 1536,
  layers: 30,
  heads: 9,
  kvHeads: 3,
  headDim: 64,
  maxPositions: 8192,
  ropeTheta: 100000,
  rmsNormEps: 1e-5,
  tied: true,
  lora,
};
const shallow = { ...smollm, layers: 6, vocabSize: 8192 };
const decoding = { rows: 0, sequences: 0, tokens: 0 };

/** Peaks of a process that only trained, in MB, on two cores with ONNX Runtime 1.29.0. */
const measured: [LlamaConfig, number, number, number, boolean, number][] = [
  // model, tokens, time, positions of the head at once, recompute, peak
  [smollm, 1000, 200, 170, false, 2597],
  [shallow, 1000, 200, 500, false, 708],
  [shallow, 1000, 200, 500, true, 560],
  [shallow, 600, 100, 300, false, 579],
  [shallow, 600, 100, 300, true, 438],
  [shallow, 200, 100, 100, false, 465],
  [shallow, 200, 100, 100, true, 410],
];

Deno.test("predicted memory is within 20 % of what was measured", () => {
  for (const [model, tokens, time, head, recompute, peak] of measured) {
    const { total } = planMemory(model, { tokens, time, head, recompute, decoding });
    const ratio = total / 1e6 / peak;
    assert(ratio > 0.8 && ratio < 1.2, `${tokens} tokens of ${time}: ${ratio} of ${peak} MB`);
  }
});

Deno.test("float16 halves the frozen matrices, adapters alone have an optimiser", () => {
  const load = { tokens: 100, time: 100, head: 100, recompute: false, decoding };
  const [whole, half] = [smollm, { ...smollm, storage: "float16" as const }].map((m) => planMemory(m, load));
  // Norms stay in float32: (2·30 + 1)·576 numbers.
  assertEquals(half.frozen, (whole.frozen + 4 * 61 * 576) / 2);
  assertEquals(half.trained, whole.trained);
  // A byte a number, and a float32 scale (and minimum) for every 32.
  const matrices = half.frozen / 2 - 2 * 61 * 576;
  for (const [storage, perNumber] of [["int8", 1.125], ["uint8", 1.25]] as const) {
    assertEquals(planMemory({ ...smollm, storage }, load).frozen, matrices * perNumber + 4 * 61 * 576);
  }
  // By hand: rank 8 on 7 matrices of 30 blocks, 5 float32 each.
  const widths = 2 * (576 + 576) + 2 * (576 + 192) + 3 * (576 + 1536);
  assertEquals(whole.trained, 5 * 4 * 30 * 8 * widths);
  const { lora: _, ...full } = smollm;
  assertEquals(planMemory(full, load).trained, 5 * whole.frozen);
});

Deno.test("packed matrices take what the session is given for them, once a lane", () => {
  const { lora, ...whole } = { ...smollm, layers: 1, vocabSize: 8192, maxPositions: 64 };
  const config = { ...whole, lora };
  const load = { tokens: 10, time: 10, head: 10, recompute: false };
  const sampling = { rows: 1, sequences: 1, tokens: 10 };
  const { weights } = addLora({ config: whole, weights: initLlamaWeights(whole, 1) }, lora);
  for (const storage of ["float32", "float16", "int8", "uint8"] as const) {
    const model: LlamaConfig = { ...config, ...(storage === "float32" ? {} : { storage }) };
    const held = new Map(
      [...weights].map(([name, tensor]) =>
        [name, isAdapterName(name) ? tensor : storeTensor(tensor, storage)] as const
      ),
    );
    const { data } = decodeConstants(packedMatrices(model), held);
    const bytes = [...data.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
    assertEquals(bytes > 0, storage !== "float16");
    const plan = planMemory(model, { ...load, decoding: sampling });
    assertEquals(plan.packed, bytes, storage);
    const two = planMemory(model, { ...load, decoding: { ...sampling, lanes: 2 } });
    assertEquals(two.packed, 2 * bytes);
    assert(two.cache > plan.cache + plan.frozen);
    assertEquals(planMemory(model, { ...load, decoding: { ...sampling, packed: false } }).packed, 0);
  }
});
