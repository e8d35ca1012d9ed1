import type { LlamaConfig } from "../../../engine/llama_config.ts";
import { llamaParameterShapes } from "../../../engine/llama_parameter_shapes.ts";
import { isAdapterName } from "../../../engine/lora.ts";
import { storedType } from "../../../engine/stored_type.ts";
import { staysInCache } from "../../../engine/stays_in_cache.ts";

/** Matrices that a session holds instead of being fed them: parameter → name of the constant. */
export type DecodeConstants = ReadonlyMap<string, string>;

/**
 * The matrices that the session which samples on holds. ONNX Runtime packs a constant
 * matrix for its products once, a fed one at every product, which costs more than
 * the product of a few rows. It takes the memory of a second copy, so that matrices
 * that are held in fewer bits stay as they are.
 *
 * @param packWeights By default for a model that is read from memory; a small one's weights
 * change too often for it.
 */
export function decodeConstants(config: LlamaConfig, packWeights = !staysInCache(config)): DecodeConstants {
  if (!packWeights) return new Map();
  const head = config.tied ? "model.embed_tokens.weight" : "lm_head.weight";
  return new Map(
    [...llamaParameterShapes(config)].flatMap(([name, shape]) => {
      const multiplies = name === head || !name.startsWith("model.embed_tokens.");
      return multiplies && shape.length === 2 && !isAdapterName(name) &&
          storedType(config, name, shape) === "float32"
        ? [[name, `packed.${name}`]]
        : [];
    }),
  );
}
