import { Effect } from "effect";
import { initLlamaWeights } from "../stages/engine/init_llama_weights.ts";
import { smallModel } from "./_small_model.ts";
import type { LlamaConfig } from "../stages/engine/llama_config.ts";
import { chooseProvider } from "../stages/engine/onnx/provider.ts";
import { defaultLanes } from "../stages/policy/onnx/lanes/default_lanes.ts";
import { ParallelLanes } from "../stages/policy/onnx/lanes/parallel_lanes.ts";
import { MatmulRate } from "./_matmul_rate.ts";
import { parameterCount } from "../stages/engine/parameter_count.ts";

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

/** A rate of the machine, measured in turn with what it is compared with. */
export interface Meter {
  measure(): Promise<number>;
  release(): Promise<void>;
}

/** What one repeat of {@link timeDecoding} took. */
export interface DecodeTimes {
  /** Seconds to take in the contexts. */
  readonly prefill: number;
  /** Seconds to sample the tokens with the contexts cached. */
  readonly decode: number;
  /** What the meter showed, mean of before and after. */
  readonly meter: number;
}

/**
 * Samples `newTokens` tokens after `context` cached ones for all sequences at once,
 * in turn with the meter, so that both meet the same load of the machine. The decoder
 * is made as the policy makes it.
 */
export async function timeDecoding(
  options: DecodeBenchOptions,
  makeMeter: (threads: number) => Promise<Meter>,
): Promise<DecodeTimes[]> {
  const { threads, sequences, context, newTokens, config } = settings(options);
  const lanes = options.lanes ?? defaultLanes(config);
  // The first session of a process decides how all of them treat subnormal numbers: the policy's is first.
  const provider = await Effect.runPromise(chooseProvider("cpu", Math.max(1, Math.floor(threads / lanes))));
  const generator = await ParallelLanes.create({
    config,
    weights: initLlamaWeights(config, 1),
    stopIds: new Set(),
    batchSize: options.batchSize ?? 32,
    sessionOptions: provider.options,
  }, lanes);
  const meter = await makeMeter(threads);
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
  const times: DecodeTimes[] = [];
  try {
    for (let i = 0; i <= (options.repeats ?? 5); i++) {
      generator.release();
      const before = await meter.measure();
      const prefill = await seconds(() => generator.generate(requests(1)));
      const decode = await seconds(() => generator.generate(requests(newTokens)));
      // The first pass allocates.
      if (i > 0) times.push({ prefill, decode, meter: (before + await meter.measure()) / 2 });
    }
  } finally {
    await generator.close();
    await meter.release();
  }
  return times;
}

/**
 * Decoding beside plain products. A token counts 2 flop per parameter that it is
 * multiplied with, and 4·layers·length·width for attention at the mean length.
 */
export async function benchDecode(options: DecodeBenchOptions = {}): Promise<DecodeBenchResult> {
  const { sequences, context, newTokens, config } = settings(options);
  const times = await timeDecoding(options, (threads) => MatmulRate.create(threads));
  const parameters = parameterCount(config) - (config.tied ? 0 : config.vocabSize * config.hiddenSize);
  const attention = 4 * config.layers * (context + newTokens / 2) * config.heads * config.headDim;
  const flop = (2 * parameters + attention) * sequences * newTokens;
  return {
    decode_vs_matmul: median(times.map(({ decode, meter }) => flop / decode / meter)),
    decode_gflops: median(times.map(({ decode }) => flop / decode)) / 1e9,
    matmul_gflops: median(times.map(({ meter }) => meter)) / 1e9,
    decode_tokens_per_second: median(times.map(({ decode }) => sequences * newTokens / decode)),
    prefill_tokens_per_second: median(times.map(({ prefill }) => sequences * context / prefill)),
  };
}

function settings(options: DecodeBenchOptions) {
  const { threads = navigator.hardwareConcurrency, sequences = 64, context = 128, newTokens = 128 } = options;
  return { threads, sequences, context, newTokens, config: { ...smallModel, ...options.config } };
}

/** The middle one, of two the larger. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}
