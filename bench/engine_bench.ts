import { Effect } from "effect";
import { Engine } from "../stages/engine/engine.ts";
import { initLlamaWeights } from "../stages/engine/init_llama_weights.ts";
import { smallModel } from "./_small_model.ts";
import type { LlamaConfig } from "../stages/engine/llama_config.ts";
import { onnxEngine } from "../stages/engine/onnx_engine.ts";
import { Rng } from "../stages/seed.ts";
import { MatmulRate } from "./_matmul_rate.ts";

/** Floating rates in GFLOP/s, and what the optimiser costs beside the gradient. */
export interface EngineBenchResult {
  /** `accumulate`: 6 flop per parameter and token, and 12·layers·time·width for attention. */
  readonly update_gflops: number;
  /** One 1024³ product on the same provider and threads. */
  readonly matmul_gflops: number;
  readonly ratio: number;
  readonly update_tokens_per_second: number;
  /** Seconds of `optimStep` over seconds of `accumulate`. */
  readonly optim_fraction: number;
}

/** Settings of {@link benchEngine}. */
export interface EngineBenchOptions {
  readonly threads?: number;
  readonly tokenBudget?: number;
  readonly rows?: number;
  readonly time?: number;
  readonly repeats?: number;
  /** Overrides of the 1.1-million-parameter model. */
  readonly config?: Partial<LlamaConfig>;
}

/**
 * Gradients of `rows` × `time` tokens in turn with plain products, so that both
 * meet the same load of the machine; medians over the repeats.
 */
export async function benchEngine(options: EngineBenchOptions = {}): Promise<EngineBenchResult> {
  const { threads = navigator.hardwareConcurrency, rows = 32, time = 128, repeats = 7, tokenBudget } =
    options;
  const config = { ...smallModel, ...options.config };
  const rng = new Rng(2);
  const batch = Array.from({ length: rows }, () => ({
    ids: Array.from({ length: time }, () => rng.int(config.vocabSize)),
    weights: Array.from({ length: time }, () => rng.normal() / time),
  }));
  const adamw = { lr: 1e-4, beta1: 0.9, beta2: 0.98, eps: 1e-8, weightDecay: 0, clipNorm: 1 };
  const measure = Effect.gen(function* () {
    const engine = yield* Engine;
    const tokens = rows * time;
    const width = config.heads * config.headDim;
    const flop = tokens *
      (6 * matrixParameters(engine.parameters, config) + 12 * config.layers * time * width);
    const update: number[] = [], matmul: number[] = [], ratio: number[] = [], optim: number[] = [];
    // Makes the session.
    yield* engine.accumulate(batch);
    yield* engine.optimStep(adamw);
    const product = yield* Effect.acquireRelease(
      Effect.promise(() => MatmulRate.create(threads)),
      (product) => Effect.promise(() => product.release()),
    );
    for (let i = 0; i < repeats; i++) {
      const rate = (yield* Effect.promise(() => product.measure())) / 1e9;
      const start = performance.now();
      yield* engine.accumulate(batch);
      const seconds = (performance.now() - start) / 1000;
      yield* engine.optimStep(adamw);
      matmul.push(rate);
      update.push(flop / seconds / 1e9);
      ratio.push(flop / seconds / 1e9 / rate);
      optim.push((performance.now() - start) / 1000 / seconds - 1);
    }
    return {
      update_gflops: median(update),
      matmul_gflops: median(matmul),
      ratio: median(ratio),
      update_tokens_per_second: median(update) * 1e9 / flop * tokens,
      optim_fraction: median(optim),
    };
  });
  const settings = { provider: "cpu", threads, ...(tokenBudget !== undefined && { tokenBudget }) } as const;
  const engine = onnxEngine({ config, weights: initLlamaWeights(config, 1) }, settings);
  return await Effect.runPromise(Effect.scoped(measure).pipe(Effect.provide(engine)));
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

/** Parameters that every token is multiplied with: a looked-up embedding costs nothing, a tied one is the head. */
function matrixParameters(parameters: number, config: LlamaConfig): number {
  return config.tied ? parameters : parameters - config.vocabSize * config.hiddenSize;
}

if (import.meta.main) console.log(JSON.stringify(await benchEngine(), null, 2));
