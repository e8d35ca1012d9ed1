import { assert, assertEquals } from "@std/assert";
import { Effect } from "effect";
import { initLlamaWeights } from "../../../stages/engine/init_llama_weights.ts";
import { type ModelSource, onnxEngine } from "../../../stages/engine/onnx_engine.ts";
import { llamaGraph } from "../../../stages/engine/onnx/llama_graph.ts";
import { models, readExpected, withLayer } from "./_golden.ts";
import { gradientOf, relativeDifference, tinyConfig } from "./_tiny.ts";

/** Log-probabilities and gradient of the golden rows. */
function evaluate(model: ModelSource, recompute: boolean, lora?: { rank: number }) {
  const { rows, temperature } = readExpected(`${models}/smollm2`);
  const adapters = lora && { lora: { ...lora, alpha: 4, targetModules: [] } };
  return withLayer(
    onnxEngine(model, { provider: "cpu", threads: 1, recompute, ...adapters }),
    (e) =>
      Effect.gen(function* () {
        const { logprobs, entropy } = yield* e.accumulate(rows, { temperature, entropy: true });
        return { logprobs, entropy, gradient: yield* gradientOf(e) };
      }),
  );
}

const deep = { ...tinyConfig, vocabSize: 40, layers: 4, maxPositions: 64 };
const cases: Record<string, [ModelSource, { rank: number }?]> = {
  "four blocks": [{ config: deep, weights: initLlamaWeights(deep, 3) }],
  "adapters": [{ config: deep, weights: initLlamaWeights(deep, 3) }, { rank: 2 }],
  ...Object.fromEntries(
    ["llama3", "qwen2", "qwen3", "phi3"].map((name) => [name, [{ folder: `${models}/${name}` }]]),
  ),
};

for (const [name, [model, lora]] of Object.entries(cases)) {
  Deno.test(`${name}: activations computed again give the same gradient`, async () => {
    const kept = await evaluate(model, false, lora);
    const again = await evaluate(model, true, lora);
    assertEquals(again.logprobs, kept.logprobs);
    assertEquals(again.entropy, kept.entropy);
    assert(kept.gradient.some((g) => g !== 0));
    assert(relativeDifference(again.gradient, kept.gradient) < 1e-6);
  });
}

Deno.test("only gradients compute anything again", () => {
  const graph = (backward: boolean, recompute: boolean) =>
    llamaGraph(deep, { backward, entropy: false, recompute }).length;
  assertEquals(graph(false, true), graph(false, false));
  assert(graph(true, true) > graph(true, false));
});
