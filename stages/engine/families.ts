/** What sets a family of decoders apart from Llama (Touvron et al. 2023), and what its files call it. */
export interface Family {
  /** The entry of `architectures` in config.json. */
  readonly architecture: string;
  /** Queries, keys and values have a bias: `q_proj.bias` and so on. */
  readonly qkvBias: boolean;
  /** Every head's queries and keys are RMS-normalised before they are rotated: `q_norm.weight`, `k_norm.weight`. */
  readonly qkNorm: boolean;
  /** Queries, keys and values are one product, `qkv_proj`, and so are gate and up: `gate_up_proj`. */
  readonly fused: boolean;
  /** Head size where config.json has no `head_dim`; absent: hidden size / heads. */
  readonly headDim?: number;
}

/** Name of a family: `model_type` in config.json. */
export type FamilyName = "llama" | "qwen2" | "qwen3" | "phi3";

const llama: Family = { architecture: "LlamaForCausalLM", qkvBias: false, qkNorm: false, fused: false };

/**
 * The supported families. Everything that depends on the family is derived from
 * its entry: parameter names and shapes (`llamaParameterShapes`), the training
 * graph (`llamaHidden`) and the decoding graph.
 */
export const families: Readonly<Record<FamilyName, Family>> = {
  /** Llama 2 and 3, SmolLM2. */
  llama,
  /** Qwen2, Qwen2.5. */
  qwen2: { ...llama, architecture: "Qwen2ForCausalLM", qkvBias: true },
  qwen3: { ...llama, architecture: "Qwen3ForCausalLM", qkNorm: true, headDim: 128 },
  /** Phi-3, Phi-3.5. */
  phi3: { ...llama, architecture: "Phi3ForCausalLM", fused: true },
};

/** The family of an architecture. */
export function familyOf({ family = "llama" }: { readonly family?: FamilyName }): Family {
  return families[family];
}
