import { initLlamaWeights } from "../stages/engine/init_llama_weights.ts";
import { smallModel } from "./_small_model.ts";
import type { LlamaConfig } from "../stages/engine/llama_config.ts";
import { countParameters } from "../stages/engine/weights.ts";
import { defaultLanes } from "../stages/policy/onnx/default_lanes.ts";
import { ParallelLanes } from "../stages/policy/onnx/parallel_lanes.ts";
import { MatmulRate } from "./_matmul_rate.ts";

/** What {@link benchDecode} measures; medians over the repeats. */
export interface DecodeBenchResult {
  /** Arithmetic of the sampled tokens over what a 1024³ product does in the same time. */
  readonly decode_vs_matmul: number;
  readonly decode_gflops: number;
  readonly matmul_gflops: number;
  /** Sampled tokens a second with the contexts cached. */
  readonly decode_tokens_per_second: number;
  /** Context tokens a second of the prefill before it. */
  readonly prefill_tokens_per_second: number;
}

/** Settings of {@link benchDecode}. */
export interface DecodeBenchOptions {
  readonly threads?: number;
  readonly sequences?: number;
  /** Sequences decoded together. Default 32, as the policy's. */
  readonly batchSize?: number;
  readonly context?: number;
  readonly newTokens?: number;
  readonly repeats?: number;
  /** Batches decoded side by side. Default as the policy's. */
  readonly lanes?: number;
  /** Overrides of the 1.1-million-parameter model. */
  readonly config?: Partial<LlamaConfig>;
}

/**
 * Samples `newTokens` tokens after `context` cached ones for all sequences at once,
 * in turn with plain products, so that both meet the same load of the machine.
 *
 * A token counts 2 flop per parameter that it is multiplied with, and
 * 4·layers·length·width for attention at the mean length.
 */
export async function benchDecode(options: DecodeBenchOptions = {}): Promise<DecodeBenchResult> {
  const { threads = navigator.hardwareConcurrency, sequences = 64, context = 128, newTokens = 128 } = options;
  const config = { ...smallModel, ...options.config };
  const weights = initLlamaWeights(config, 1);
  const product = await MatmulRate.create(threads);
  const lanes = options.lanes ?? defaultLanes(config);
  const generator = await ParallelLanes.create({
    config,
    weights,
    stopIds: new Set(),
    batchSize: options.batchSize ?? 32,
    sessionOptions: {
      intraOpNumThreads: Math.max(1, Math.floor(threads / lanes)),
      graphOptimizationLevel: "all",
    },
  }, lanes);
  const parameters = countParameters(weights) - (config.tied ? 0 : config.vocabSize * config.hiddenSize);
  const attention = 4 * config.layers * (context + newTokens / 2) * config.heads * config.headDim;
  const flop = (2 * parameters + attention) * sequences * newTokens;
  const requests = (maxTokens: number) =>
    Array.from({ length: sequences }, (_, i) => ({
      ids: Array.from({ length: context }, (_, t) => (i * 31 + t * 7) % config.vocabSize),
      maxTokens,
      temperature: 1,
      seed: `bench/${i}`,
      session: `bench/${i}`,
    }));
  const seconds = async (run: () => Promise<unknown>) => {
    const start = performance.now();
    await run();
    return (performance.now() - start) / 1000;
  };
  const prefill: number[] = [], decode: number[] = [], matmul: number[] = [];
  try {
    for (let i = 0; i <= (options.repeats ?? 5); i++) {
      generator.release();
      const before = await product.measure();
      const filled = await seconds(() => generator.generate(requests(1)));
      const decoded = await seconds(() => generator.generate(requests(newTokens)));
      // The first pass allocates.
      if (i === 0) continue;
      prefill.push(sequences * context / filled);
      decode.push(flop / decoded);
      matmul.push((before + await product.measure()) / 2);
    }
  } finally {
    await generator.close();
    await product.release();
  }
  return {
    decode_vs_matmul: median(decode.map((rate, i) => rate / matmul[i])),
    decode_gflops: median(decode) / 1e9,
    matmul_gflops: median(matmul) / 1e9,
    decode_tokens_per_second: median(decode) / flop * sequences * newTokens,
    prefill_tokens_per_second: median(prefill),
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}
