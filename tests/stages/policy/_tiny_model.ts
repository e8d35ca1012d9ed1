import { initLlamaWeights } from "../../../stages/engine/init_llama_weights.ts";
import type { LlamaConfig } from "../../../stages/engine/llama_config.ts";
import { Generator, type GeneratorOptions } from "../../../stages/policy/onnx/generator.ts";
import type { GenerateRequest } from "../../../stages/policy/policy.ts";

/** Two query heads per key head, a head width that is not hidden / heads, 19 ids. */
export const tinyConfig: LlamaConfig = {
  vocabSize: 19,
  hiddenSize: 16,
  intermediateSize: 24,
  layers: 2,
  heads: 4,
  kvHeads: 2,
  headDim: 6,
  maxPositions: 96,
  ropeTheta: 1000,
  rmsNormEps: 1e-5,
  tied: true,
};

export const tinyWeights = initLlamaWeights(tinyConfig, 3);

/** Runs `use` with a generator of the tiny model (stop ids 2 and 7) and frees it. */
export async function withGenerator<A>(
  options: Partial<GeneratorOptions>,
  use: (generator: Generator) => Promise<A>,
): Promise<A> {
  const generator = await Generator.create({
    config: tinyConfig,
    weights: tinyWeights,
    stopIds: new Set([2, 7]),
    sessionOptions: { intraOpNumThreads: 1 },
    ...options,
  });
  try {
    return await use(generator);
  } finally {
    await generator.close();
  }
}

/** A request with defaults; its seed and session are `name`. */
export function request(
  name: string,
  ids: readonly number[],
  more: Partial<GenerateRequest> = {},
): GenerateRequest {
  return { ids, maxTokens: 12, temperature: 1, seed: name, session: name, ...more };
}
