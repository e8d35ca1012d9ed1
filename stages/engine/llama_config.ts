/** The architecture of a Llama-family decoder, as `config.json` of a Hugging Face folder states it. */
export interface LlamaConfig {
  readonly vocabSize: number;
  readonly hiddenSize: number;
  readonly intermediateSize: number;
  readonly layers: number;
  readonly heads: number;
  /** Key/value heads (grouped-query attention); divides `heads`. */
  readonly kvHeads: number;
  readonly headDim: number;
  readonly maxPositions: number;
  readonly ropeTheta: number;
  readonly rmsNormEps: number;
  /** The output head is the embedding matrix. */
  readonly tied: boolean;
}
