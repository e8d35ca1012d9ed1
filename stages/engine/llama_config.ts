import type { FamilyName } from "./families.ts";
import type { Lora } from "./lora.ts";
import type { RopeScaling } from "./rope_scaling.ts";
import type { StoredType } from "./stored_type.ts";

/** The architecture of a decoder of the Llama kind, as `config.json` of a Hugging Face folder states it. */
export interface LlamaConfig {
  /** What the decoder has beyond a Llama, and how its parameters are called. Default `llama`. */
  readonly family?: FamilyName;
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
  /** How the rotary embedding's frequencies differ from θ^(−2i/headDim), if they do. */
  readonly rope?: RopeScaling;
  readonly rmsNormEps: number;
  /** The output head is the embedding matrix. */
  readonly tied: boolean;
  /** Form in which matrices that are not trained are held. Default `float32`. */
  readonly storage?: StoredType;
  /** Adapters, which alone are trained; without them every parameter is. */
  readonly lora?: Lora;
}
