import { familyOf } from "./families.ts";
import type { LlamaConfig } from "./llama_config.ts";
import { isAdapted, LORA_A, LORA_B } from "./lora.ts";

/**
 * The parameters of a decoder of the Llama kind: Hugging Face name → shape, in
 * the order of the forward pass. A linear layer's weight is [out, in]; a tied
 * model has no `lm_head.weight`. Adapters come last.
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
  const { qkvBias, qkNorm, fused } = familyOf(config);
  const q = config.heads * config.headDim;
  const kv = config.kvHeads * config.headDim;
  const shapes = new Map<string, readonly number[]>([["model.embed_tokens.weight", [vocabSize, d]]]);
  for (let l = 0; l < config.layers; l++) {
    const layer = `model.layers.${l}`;
    shapes.set(`${layer}.input_layernorm.weight`, [d]);
    const attention = (name: string, shape: readonly number[]) =>
      shapes.set(`${layer}.self_attn.${name}`, shape);
    if (fused) attention("qkv_proj.weight", [q + 2 * kv, d]);
    else {
      for (const [name, out] of [["q", q], ["k", kv], ["v", kv]] as const) {
        attention(`${name}_proj.weight`, [out, d]);
        if (qkvBias) attention(`${name}_proj.bias`, [out]);
        if (qkNorm && name !== "v") attention(`${name}_norm.weight`, [config.headDim]);
      }
    }
    attention("o_proj.weight", [d, q]);
    shapes.set(`${layer}.post_attention_layernorm.weight`, [d]);
    if (fused) shapes.set(`${layer}.mlp.gate_up_proj.weight`, [2 * f, d]);
    else {
      shapes.set(`${layer}.mlp.gate_proj.weight`, [f, d]);
      shapes.set(`${layer}.mlp.up_proj.weight`, [f, d]);
    }
    shapes.set(`${layer}.mlp.down_proj.weight`, [d, f]);
  }
  shapes.set("model.norm.weight", [d]);
  if (!config.tied) shapes.set("lm_head.weight", [vocabSize, d]);
  for (const [name, [out, input]] of config.lora === undefined ? [] : [...shapes]) {
    const layer = name.slice(0, -".weight".length);
    if (!name.endsWith(".weight") || !isAdapted(config, layer)) continue;
    shapes.set(layer + LORA_A, [config.lora!.rank, input]);
    shapes.set(layer + LORA_B, [out, config.lora!.rank]);
  }
  return shapes;
}
