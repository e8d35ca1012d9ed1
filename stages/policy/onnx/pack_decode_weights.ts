import { familyOf } from "../../engine/families.ts";
import type { LlamaConfig } from "../../engine/llama_config.ts";
import { llamaParameterShapes } from "../../engine/llama_parameter_shapes.ts";
import type { Tensor, Weights } from "../../engine/weights.ts";
import { PolicyError } from "../../errors.ts";

/**
 * Copies a model's parameters for the decode graph, under their own names. What
 * makes the queries (their norm where they have one, else their projection and its
 * bias) is divided by √headDim, so that scores need no scaling: rotation is linear.
 *
 * Throws {@link PolicyError} for a parameter that is missing or of another shape.
 */
export function packDecodeWeights(config: LlamaConfig, weights: Weights): Map<string, Tensor> {
  const packed = new Map<string, Tensor>();
  for (const [name, shape] of llamaParameterShapes(config)) {
    const tensor = weights.get(name);
    const size = shape.reduce((a, b) => a * b, 1);
    if (tensor === undefined || String(tensor.shape) !== String(shape) || tensor.data.length !== size) {
      const found = tensor === undefined ? "is missing" : `is [${tensor.shape}]`;
      throw new PolicyError({
        operation: "take weights",
        reason: `${name} ${found}, the model needs [${shape}]`,
      });
    }
    const data = tensor.data.slice();
    const end = queryNumbers(name, data.length, config);
    const scale = 1 / Math.sqrt(config.headDim);
    for (let i = 0; i < end; i++) data[i] *= scale;
    packed.set(name, { shape, data });
  }
  return packed;
}

/** How many numbers at the start of a parameter make the queries' size. */
function queryNumbers(name: string, length: number, config: LlamaConfig): number {
  const { fused, qkNorm } = familyOf(config);
  if (fused) return name.endsWith(".qkv_proj.weight") ? config.heads * config.headDim * config.hiddenSize : 0;
  return new RegExp(qkNorm ? "\\.q_norm\\." : "\\.q_proj\\.").test(name) ? length : 0;
}
