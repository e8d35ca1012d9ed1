import { assert, assertEquals } from "@std/assert";
import { Effect } from "effect";
import type { LogprobOptions, WeightedRow } from "../../../stages/engine/engine.ts";
import { initLlamaWeights } from "../../../stages/engine/init_llama_weights.ts";
import { type ModelSource, onnxEngine, type OnnxEngineOptions } from "../../../stages/engine/onnx_engine.ts";
import { Rng } from "../../../stages/seed.ts";
import { models, withLayer } from "./_golden.ts";
import { gradientOf, relativeDifference, tinyConfig } from "./_tiny.ts";

/** Two groups of attempts after a prompt of 24 ids, one with a retry that branches off late, and a row alone. */
function groups(vocabulary: number): WeightedRow[] {
  const rng = new Rng(5);
  const random = (n: number) => Array.from({ length: n }, () => rng.int(vocabulary));
  const row = (prefix: readonly number[], more: number): WeightedRow => ({
    ids: [...prefix, ...random(more)],
    weights: Array.from(
      { length: prefix.length + more },
      (_, t) => t < prefix.length ? 0 : rng.uniform() - 0.5,
    ),
    entropyWeights: Array.from({ length: prefix.length + more }, (_, t) => t < prefix.length ? 0 : 0.01),
  });
  const [first, second] = [random(24), random(25)];
  const base = row(first, 14);
  return [
    base,
    row(second, 6),
    row(first, 1),
    row(base.ids.slice(0, 33), 5),
    row(first, 9),
    row(second, 11),
    row(random(3), 20),
    // Nothing is trained of it: it is computed without a gradient.
    { ids: [...second, ...random(7)], weights: Array<number>(32).fill(0) },
  ];
}

function evaluate(model: ModelSource, vocabulary: number, options: OnnxEngineOptions) {
  const rows = groups(vocabulary);
  const select = rows.map(({ ids, weights }, r) =>
    Array.from(ids, (_, t) => weights![t] !== 0 || (r === 7 && t > 28) ? 1 : 0)
  );
  const settings: LogprobOptions = { temperature: 0.8, entropy: true, select };
  return withLayer(
    onnxEngine(model, { provider: "cpu", threads: 1, ...options }),
    (e) =>
      Effect.gen(function* () {
        const scored = yield* e.logprobs(rows.map(({ ids }) => ids), settings);
        const trained = yield* e.accumulate(rows, settings);
        const { hidden } = yield* e.distributions!(rows.map(({ ids }) => ids), { select });
        return {
          logprobs: scored.logprobs.flatMap((x) => [...x]),
          trained: trained.logprobs.flatMap((x) => [...x]),
          entropy: scored.entropy!.flatMap((x) => [...x]),
          hidden: hidden.flatMap((x) => [...x]),
          gradient: yield* gradientOf(e),
        };
      }),
  );
}

const deep = { ...tinyConfig, vocabSize: 40, layers: 3, maxPositions: 64 };
const weights = initLlamaWeights(deep, 3);
const lora = { rank: 2, alpha: 4, targetModules: [] };
const cases: Record<string, [ModelSource, OnnxEngineOptions?]> = {
  "three blocks": [{ config: deep, weights }],
  "computed again in the backward pass": [{ config: deep, weights }, { recompute: true }],
  "the head in chunks": [{ config: deep, weights }, { logitBudget: 40 * 7 }],
  "adapters": [{ config: deep, weights }, { lora }],
  "a small budget": [{ config: deep, weights }, { tokenBudget: 44 }],
  ...Object.fromEntries(
    ["llama3", "qwen2", "qwen3", "phi3"].map((name) => [name, [{ folder: `${models}/${name}` }]]),
  ),
};

for (const [name, [model, options]] of Object.entries(cases)) {
  Deno.test(`${name}: rows as a tree give the numbers of the rows side by side`, async () => {
    const [tree, alone] = await Promise.all(
      [true, false].map((sharesPrefixes) => evaluate(model, 40, { ...options, sharesPrefixes })),
    );
    assert(alone.gradient.some((g) => g !== 0));
    for (const key of ["logprobs", "trained", "entropy", "hidden", "gradient"] as const) {
      assertEquals(tree[key].length, alone[key].length);
      const gap = relativeDifference(tree[key], alone[key]);
      assert(gap < 1e-5, `${key} differ by ${gap}`);
    }
  });
}
