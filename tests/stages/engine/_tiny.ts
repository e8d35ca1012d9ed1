import { Effect } from "effect";
import { Engine, type EngineShape, type WeightedRow } from "../../../stages/engine/engine.ts";
import { initLlamaWeights } from "../../../stages/engine/init_llama_weights.ts";
import type { LlamaConfig } from "../../../stages/engine/llama_config.ts";
import { onnxEngine, type OnnxEngineOptions } from "../../../stages/engine/onnx_engine.ts";
import type { Tensor } from "../../../stages/engine/weights.ts";
import { readSafetensors } from "../../../stages/engine/read_safetensors.ts";
import { Rng } from "../../../stages/seed.ts";

/** Grouped-query attention, odd sizes, tied head. */
export const tinyConfig: LlamaConfig = {
  vocabSize: 13,
  hiddenSize: 8,
  intermediateSize: 12,
  layers: 2,
  heads: 4,
  kvHeads: 2,
  headDim: 4,
  maxPositions: 32,
  ropeTheta: 100,
  rmsNormEps: 1e-5,
  tied: true,
};

/** Initial weights, with norms off 1 so that they take part. */
export function tinyWeights(config: LlamaConfig = tinyConfig, seed = 1): Map<string, Tensor> {
  const weights = initLlamaWeights(config, seed);
  const rng = new Rng(`norms/${seed}`);
  for (const { shape, data } of weights.values()) {
    if (shape.length === 1) { for (let i = 0; i < data.length; i++) data[i] = 1 + 0.3 * rng.normal(); }
  }
  return weights;
}

/** Random rows of the given lengths; weights are zero at a third of the tokens. */
export function tinyRows(
  lengths: readonly number[],
  { entropy = false, seed = "rows", config = tinyConfig } = {},
): WeightedRow[] {
  const rng = new Rng(seed);
  const weights = (n: number) => Array.from({ length: n }, () => rng.chance(1 / 3) ? 0 : rng.normal());
  return lengths.map((n) => ({
    ids: Array.from({ length: n }, () => rng.int(config.vocabSize)),
    weights: weights(n),
    ...(entropy && { entropyWeights: weights(n) }),
  }));
}

export interface TinyOptions extends OnnxEngineOptions {
  readonly config?: LlamaConfig;
  readonly weights?: Map<string, Tensor>;
}

/** Runs `use` with a fresh engine on one CPU thread. */
export function withEngine<A, E>(
  use: (engine: EngineShape) => Effect.Effect<A, E>,
  { config = tinyConfig, weights = tinyWeights(config), ...options }: TinyOptions = {},
): Promise<A> {
  const layer = onnxEngine({ config, weights }, { provider: "cpu", threads: 1, ...options });
  return Effect.runPromise(Effect.flatMap(Engine, use).pipe(Effect.provide(layer)));
}

/**
 * The accumulated gradient, all parameters in a row: an optimiser step of rate 0
 * and β₁ = 0 leaves it as the first moment, which a checkpoint holds.
 */
export function gradientOf(engine: EngineShape): Effect.Effect<Float32Array, unknown> {
  return Effect.gen(function* () {
    const folder = yield* Effect.promise(() => Deno.makeTempDir());
    yield* engine.optimStep({ lr: 0, beta1: 0, beta2: 0.9, eps: 1, weightDecay: 0, clipNorm: 0 });
    yield* engine.save(folder);
    const { tensors } = yield* readSafetensors(`${folder}/optimizer.safetensors`);
    yield* Effect.promise(() => Deno.remove(folder, { recursive: true }));
    const parts = [...tensors].filter(([name]) => name.startsWith("exp_avg.")).map(([, t]) => t.data);
    // The optimiser descends on −J.
    return Float32Array.from(parts.flatMap((p) => Array.from(p, (x) => -x)));
  });
}

/** max |a − b| / max |b|. */
export function relativeDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) return Infinity;
  let [difference, scale] = [0, 0];
  for (let i = 0; i < b.length; i++) {
    difference = Math.max(difference, Math.abs(a[i] - b[i]));
    scale = Math.max(scale, Math.abs(b[i]));
  }
  return scale === 0 ? difference : difference / scale;
}
