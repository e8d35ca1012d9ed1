import { familyOf } from "../../../engine/families.ts";
import type { LlamaConfig } from "../../../engine/llama_config.ts";
import { llamaParameterShapes } from "../../../engine/llama_parameter_shapes.ts";
import { isAdapterName, LORA_B } from "../../../engine/lora.ts";
import type { StoredTensor, Weights } from "../../../engine/weights.ts";
import { PolicyError } from "../../../errors.ts";
import { sizeOf } from "../../../engine/size_of.ts";

/**
 * Copies a model's parameters for the decode graph, under their own names. What
 * makes the queries (their norm where they have one, else their projection and its
 * bias) is divided by √headDim, so that scores need no scaling: rotation is linear.
 * Where adapters freeze the projection, the graph does that; see {@link scalesQueries}.
 * Adapters' B carries their alpha/rank. Parameters that adapters freeze are shared
 * with `weights` where nothing is changed in them.
 *
 * Throws {@link PolicyError} for a parameter that is missing or of another shape.
 */
export function decodeWeights(config: LlamaConfig, weights: Weights): Map<string, StoredTensor> {
  const { lora } = config;
  const packed = new Map<string, StoredTensor>();
  for (const [name, shape] of llamaParameterShapes(config)) {
    const tensor = weights.get(name);
    const size = sizeOf(shape);
    if (tensor === undefined || String(tensor.shape) !== String(shape) || tensor.data.length !== size) {
      const found = tensor === undefined ? "is missing" : `is [${tensor.shape}]`;
      throw new PolicyError({
        operation: "take weights",
        reason: `${name} ${found}, the model needs [${shape}]`,
      });
    }
    const end = queryNumbers(name, shape, config);
    const frozen = (lora !== undefined || config.storage !== undefined) && !isAdapterName(name);
    const data = frozen && end === 0 ? tensor.data : tensor.data.slice();
    const scale = 1 / Math.sqrt(config.headDim);
    for (let i = 0; i < end; i++) data[i] *= scale;
    if (lora !== undefined && name.endsWith(LORA_B)) {
      for (let i = 0; i < data.length; i++) data[i] *= lora.alpha / lora.rank;
    }
    packed.set(name, { ...tensor, data });
  }
  return packed;
}

/** Whether the graph divides the queries by √headDim: a frozen projection is shared, not copied. */
export function scalesQueries(config: LlamaConfig): boolean {
  return (config.lora !== undefined || config.storage !== undefined) && !familyOf(config).qkNorm;
}

/** How many numbers at the start of a parameter make the queries' size. */
function queryNumbers(name: string, shape: readonly number[], config: LlamaConfig): number {
  if (scalesQueries(config)) return 0;
  const { fused, qkNorm } = familyOf(config);
  const projects = name.endsWith(".weight") && !name.endsWith(".lora_A.weight");
  if (fused) return projects && name.includes(".qkv_proj.") ? config.heads * config.headDim * shape[1] : 0;
  if (qkNorm) return name.endsWith(".q_norm.weight") ? shape[0] : 0;
  const makes = name.includes(".q_proj.") && (projects || name.endsWith(".bias"));
  return makes ? sizeOf(shape) : 0;
}
