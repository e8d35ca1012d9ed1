import { Effect } from "effect";
import process from "node:process";
import { planMemory } from "../pipelines/planning/plan_memory.ts";
import { addLora } from "../stages/engine/add_lora.ts";
import { Engine } from "../stages/engine/engine.ts";
import { initLlamaWeights } from "../stages/engine/init_llama_weights.ts";
import type { LlamaConfig } from "../stages/engine/llama_config.ts";
import { onnxEngine } from "../stages/engine/onnx_engine.ts";
import { Rng } from "../stages/seed.ts";
import { Bandwidth } from "./_bandwidth.ts";
import { median, timeDecoding } from "./decode_bench.ts";
import { benchEngine } from "./engine_bench.ts";

/** The architecture of SmolLM2-135M. */
export const realModel: LlamaConfig = {
  vocabSize: 49152,
  hiddenSize: 576,
  intermediateSize: 1536,
  layers: 30,
  heads: 9,
  kvHeads: 3,
  headDim: 64,
  maxPositions: 1024,
  ropeTheta: 100000,
  rmsNormEps: 1e-5,
  tied: true,
};

/** What {@link benchCheckpoint} measures, of a model with random weights. */
export interface CheckpointBenchResult {
  /** Arithmetic of a whole gradient over that of plain products. */
  readonly real_update_vs_matmul: number;
  /** Decoding steps of 16 sequences over those that reading the weights once a step would allow. */
  readonly real_decode_vs_bandwidth: number;
  readonly real_decode_tokens_per_second: number;
  readonly bandwidth_gb_per_second: number;
  /** Share by which the predicted growth of memory misses the measured one, training adapters. */
  readonly memory_prediction_error: number;
}

/** Memory first: the peak of a process only grows. */
export async function benchCheckpoint(
  config: LlamaConfig = realModel,
  threads = navigator.hardwareConcurrency,
): Promise<CheckpointBenchResult> {
  const memory_prediction_error = await memoryError(config, threads);
  const update = await benchEngine({ config, threads, rows: 4, time: 128, repeats: 3, tokenBudget: 512 });
  const sequences = 16;
  const newTokens = 64;
  const decode = await timeDecoding(
    { config, threads, sequences, batchSize: sequences, context: 128, newTokens, repeats: 3 },
    (threads) => Bandwidth.create(threads),
  );
  const bytes = planMemory({ ...config, lora: NO_TARGETS }, IDLE).frozen;
  return {
    real_update_vs_matmul: update.ratio,
    real_decode_vs_bandwidth: median(decode.map(({ decode, meter }) => newTokens / decode * bytes / meter)),
    real_decode_tokens_per_second: median(decode.map(({ decode }) => sequences * newTokens / decode)),
    bandwidth_gb_per_second: median(decode.map(({ meter }) => meter)) / 1e9,
    memory_prediction_error,
  };
}

const NO_TARGETS = { rank: 1, alpha: 1, targetModules: ["none"] };
const IDLE = {
  ...{ tokens: 0, time: 0, head: 0, recompute: true },
  decoding: { rows: 0, sequences: 0, tokens: 0 },
};
/** Of the runtime's share of memory, what was there before the model. */
const STARTED = 90e6;

/** One micro-batch of 4 × 256 tokens, of which half are scored, with adapters of rank 8. */
async function memoryError(config: LlamaConfig, threads: number): Promise<number> {
  const [rows, time] = [4, 256];
  const before = process.memoryUsage().rss;
  const lora = { rank: 8, alpha: 16, targetModules: [] };
  const model = addLora({ config, weights: initLlamaWeights(config, 1), source: {} }, lora);
  const rng = new Rng(3);
  const batch = Array.from({ length: rows }, () => ({
    ids: Array.from({ length: time + 1 }, () => rng.int(config.vocabSize)),
    weights: Array.from({ length: time + 1 }, (_, t) => t > time / 2 ? 1 / time : 0),
  }));
  const train = Effect.gen(function* () {
    const engine = yield* Engine;
    yield* engine.accumulate(batch, { select: batch.map(({ weights }) => weights) });
    return process.resourceUsage().maxRSS * 1024;
  });
  const engine = onnxEngine({ model }, { provider: "cpu", threads, tokenBudget: rows * time });
  const peak = await Effect.runPromise(train.pipe(Effect.provide(engine)));
  const head = Math.min(rows * time / 2, Math.floor(2 ** 23 / config.vocabSize));
  const load = { ...IDLE, tokens: rows * time, time, head, recompute: false };
  const predicted = planMemory(model.config, load).total - STARTED;
  return Math.abs(predicted / (peak - before) - 1);
}

if (import.meta.main) console.log(JSON.stringify(await benchCheckpoint(), null, 2));
