import type { LlamaConfig } from "../../engine/llama_config.ts";
import { llamaParameterShapes } from "../../engine/llama_parameter_shapes.ts";
import type { Tensor, Weights } from "../../engine/weights.ts";
import { PolicyError } from "../../errors.ts";

/**
 * Copies a model's parameters into the decode graph's inputs: matrices that read
 * the same activation are stacked along `out`, so that each is one product.
 *
 * Returns `embed` [vocab, hidden], per layer `norm1_l`, `norm2_l` [hidden], `qkv_l`
 * [q + 2·kv, hidden], `out_l` [hidden, q], `gate_up_l` [2·mlp, hidden], `down_l`
 * [hidden, mlp], then `norm` [hidden] and, unless tied, `head` [vocab, hidden].
 * Throws {@link PolicyError} for a parameter that is missing or of another shape.
 */
export function packDecodeWeights(config: LlamaConfig, weights: Weights): Map<string, Tensor> {
  const shapes = llamaParameterShapes(config);
  const stack = (...names: readonly string[]): Tensor => {
    const parts = names.map((name) => checked(weights, name, shapes.get(name)!));
    const data = new Float32Array(parts.reduce((n, part) => n + part.data.length, 0));
    let at = 0;
    for (const part of parts) {
      data.set(part.data, at);
      at += part.data.length;
    }
    const rows = parts.reduce((n, part) => n + part.shape[0], 0);
    return { shape: [rows, ...parts[0].shape.slice(1)], data };
  };
  const packed = new Map<string, Tensor>([["embed", stack("model.embed_tokens.weight")]]);
  for (let l = 0; l < config.layers; l++) {
    const name = (part: string) => `model.layers.${l}.${part}.weight`;
    packed.set(`norm1_${l}`, stack(name("input_layernorm")));
    packed.set(
      `qkv_${l}`,
      stack(name("self_attn.q_proj"), name("self_attn.k_proj"), name("self_attn.v_proj")),
    );
    packed.set(`out_${l}`, stack(name("self_attn.o_proj")));
    packed.set(`norm2_${l}`, stack(name("post_attention_layernorm")));
    packed.set(`gate_up_${l}`, stack(name("mlp.gate_proj"), name("mlp.up_proj")));
    packed.set(`down_${l}`, stack(name("mlp.down_proj")));
  }
  packed.set("norm", stack("model.norm.weight"));
  if (!config.tied) packed.set("head", stack("lm_head.weight"));
  return packed;
}

function checked(weights: Weights, name: string, shape: readonly number[]): Tensor {
  const tensor = weights.get(name);
  const size = shape.reduce((a, b) => a * b, 1);
  if (tensor === undefined || String(tensor.shape) !== String(shape) || tensor.data.length !== size) {
    const found = tensor === undefined ? "is missing" : `is [${tensor.shape}]`;
    throw new PolicyError({
      operation: "take weights",
      reason: `${name} ${found}, the model needs [${shape}]`,
    });
  }
  return tensor;
}
