import type { LlamaConfig } from "../stages/engine/llama_config.ts";

/** The 1.1-million-parameter model of the speed bars: width 128, 4 layers, MLP 512. */
export const smallModel: LlamaConfig = {
  vocabSize: 128,
  hiddenSize: 128,
  intermediateSize: 512,
  layers: 4,
  heads: 4,
  kvHeads: 4,
  headDim: 32,
  maxPositions: 512,
  ropeTheta: 10000,
  rmsNormEps: 1e-6,
  tied: true,
};
