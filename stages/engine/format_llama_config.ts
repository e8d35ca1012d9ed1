import { familyOf } from "./families.ts";
import type { LlamaConfig } from "./llama_config.ts";

/**
 * The Hugging Face `config.json` of an architecture, as text; `parseLlamaConfig`
 * reads it back. Given the `source` that the architecture was read from, that is
 * written with all its fields (token ids, windows, …), but for the type of the
 * weights: they are saved as float32.
 */
export function formatLlamaConfig(
  config: LlamaConfig,
  source?: Readonly<Record<string, unknown>>,
): string {
  if (source !== undefined) {
    const type = "dtype" in source ? "dtype" : "torch_dtype";
    return JSON.stringify({ ...source, [type]: "float32" }, null, 2) + "\n";
  }
  const json = {
    architectures: [familyOf(config).architecture],
    model_type: config.family ?? "llama",
    vocab_size: config.vocabSize,
    hidden_size: config.hiddenSize,
    intermediate_size: config.intermediateSize,
    num_hidden_layers: config.layers,
    num_attention_heads: config.heads,
    num_key_value_heads: config.kvHeads,
    head_dim: config.headDim,
    max_position_embeddings: config.maxPositions,
    rope_theta: config.ropeTheta,
    ...formatRope(config),
    rms_norm_eps: config.rmsNormEps,
    tie_word_embeddings: config.tied,
    hidden_act: "silu",
    attention_bias: false,
    mlp_bias: false,
    torch_dtype: "float32",
  };
  return JSON.stringify(json, null, 2) + "\n";
}

function formatRope({ rope, maxPositions }: LlamaConfig): Record<string, unknown> {
  switch (rope?.type) {
    case undefined:
      return {};
    case "linear":
      return { rope_scaling: { rope_type: "linear", factor: rope.factor } };
    case "llama3":
      return {
        rope_scaling: {
          rope_type: "llama3",
          factor: rope.factor,
          low_freq_factor: rope.lowFreqFactor,
          high_freq_factor: rope.highFreqFactor,
          original_max_position_embeddings: rope.originalMaxPositions,
        },
      };
    case "longrope":
      return {
        rope_scaling: {
          rope_type: "longrope",
          short_factor: rope.factors,
          long_factor: rope.factors,
          attention_factor: rope.attentionFactor,
        },
        original_max_position_embeddings: maxPositions,
      };
  }
}
