import type { LlamaConfig } from "./llama_config.ts";

/**
 * The parameters of a Llama-family decoder: Hugging Face name → shape, in the
 * order of the forward pass. A linear layer's weight is [out, in]; a tied model
 * has no `lm_head.weight`.
 *
 * @example
 * ```ts
 * import { llamaParameterShapes } from "./llama_parameter_shapes.ts";
 *
 * const shapes = llamaParameterShapes({
 *   vocabSize: 32, hiddenSize: 8, intermediateSize: 16, layers: 1, heads: 2, kvHeads: 1,
 *   headDim: 4, maxPositions: 64, ropeTheta: 10000, rmsNormEps: 1e-6, tied: true,
 * });
 * console.log(shapes.get("model.layers.0.self_attn.k_proj.weight")); // [ 4, 8 ]
 * ```
 */
export function llamaParameterShapes(config: LlamaConfig): Map<string, readonly number[]> {
  const { vocabSize, hiddenSize: d, intermediateSize: f } = config;
  const q = config.heads * config.headDim;
  const kv = config.kvHeads * config.headDim;
  const shapes = new Map<string, readonly number[]>([["model.embed_tokens.weight", [vocabSize, d]]]);
  for (let l = 0; l < config.layers; l++) {
    const layer = `model.layers.${l}`;
    shapes.set(`${layer}.input_layernorm.weight`, [d]);
    shapes.set(`${layer}.self_attn.q_proj.weight`, [q, d]);
    shapes.set(`${layer}.self_attn.k_proj.weight`, [kv, d]);
    shapes.set(`${layer}.self_attn.v_proj.weight`, [kv, d]);
    shapes.set(`${layer}.self_attn.o_proj.weight`, [d, q]);
    shapes.set(`${layer}.post_attention_layernorm.weight`, [d]);
    shapes.set(`${layer}.mlp.gate_proj.weight`, [f, d]);
    shapes.set(`${layer}.mlp.up_proj.weight`, [f, d]);
    shapes.set(`${layer}.mlp.down_proj.weight`, [d, f]);
  }
  shapes.set("model.norm.weight", [d]);
  if (!config.tied) shapes.set("lm_head.weight", [vocabSize, d]);
  return shapes;
}
