import type { LlamaConfig } from "./llama_config.ts";

/** The Hugging Face `config.json` of an architecture, as text; `parseLlamaConfig` reads it back. */
export function formatLlamaConfig(config: LlamaConfig): string {
  const json = {
    architectures: ["LlamaForCausalLM"],
    model_type: "llama",
    vocab_size: config.vocabSize,
    hidden_size: config.hiddenSize,
    intermediate_size: config.intermediateSize,
    num_hidden_layers: config.layers,
    num_attention_heads: config.heads,
    num_key_value_heads: config.kvHeads,
    head_dim: config.headDim,
    max_position_embeddings: config.maxPositions,
    rope_theta: config.ropeTheta,
    rms_norm_eps: config.rmsNormEps,
    tie_word_embeddings: config.tied,
    hidden_act: "silu",
    attention_bias: false,
    mlp_bias: false,
    torch_dtype: "float32",
  };
  return JSON.stringify(json, null, 2) + "\n";
}
