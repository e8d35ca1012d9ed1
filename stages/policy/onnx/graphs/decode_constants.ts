import type { LlamaConfig } from "../../../engine/llama_config.ts";
import { llamaParameterShapes } from "../../../engine/llama_parameter_shapes.ts";
import { isAdapterName } from "../../../engine/lora.ts";
import { storedType } from "../../../engine/stored_type.ts";
import { staysInCache } from "../../../engine/stays_in_cache.ts";
import type { StoredTensor } from "../../../engine/weights.ts";
import { fourBitData, type FourBitLayout } from "./_four_bit_product.ts";
import { fourBitMatrix, hasFourBitBlocks } from "./four_bits.ts";

/** A matrix that a session holds: in float32 under the name `path`, or in 4-bit planes. */
export type DecodeConstant = { readonly path: string; readonly planes?: undefined } | FourBitLayout;

/** Matrices that a session holds instead of being fed them, by their parameters' names. */
export type DecodeConstants = ReadonlyMap<string, DecodeConstant>;

/**
 * Names of the matrices that the session which samples on holds. ONNX Runtime packs a
 * constant matrix for its products once, a fed one at every product, which costs more
 * than the product of a few rows; and of a fed matrix in 8 bits, every product makes a
 * float32 one. It takes the memory of a second copy. Matrices in float16 stay as they
 * are: there is no fast product with them.
 *
 * @param packWeights By default for a model that is read from memory; a small one's weights
 * change too often for it.
 */
export function packedMatrices(config: LlamaConfig, packWeights = !staysInCache(config)): readonly string[] {
  if (!packWeights) return [];
  const head = config.tied ? "model.embed_tokens.weight" : "lm_head.weight";
  return [...llamaParameterShapes(config)].flatMap(([name, shape]) => {
    const multiplies = name === head || !name.startsWith("model.embed_tokens.");
    const type = storedType(config, name, shape);
    const packs = type === "float32" || type !== "float16" && hasFourBitBlocks(shape[1]);
    return multiplies && shape.length === 2 && !isAdapterName(name) && packs ? [name] : [];
  });
}

/** The constants of these matrices, and the numbers of each by the name that the graph gives it. */
export function decodeConstants(
  names: readonly string[],
  weights: ReadonlyMap<string, StoredTensor>,
): { readonly constants: DecodeConstants; readonly data: ReadonlyMap<string, ArrayBufferView> } {
  const constants = new Map<string, DecodeConstant>();
  const data = new Map<string, ArrayBufferView>();
  for (const name of names) {
    const tensor = weights.get(name)!;
    const path = `packed.${name}`;
    if (tensor.blocks === undefined) {
      constants.set(name, { path });
      data.set(path, tensor.data);
      continue;
    }
    const matrix = fourBitMatrix(tensor);
    const { planes, minima } = matrix;
    constants.set(name, { path, planes, minima: minima !== undefined, shape: tensor.shape });
    for (const [part, values] of Object.entries(fourBitData(path, matrix))) data.set(part, values);
  }
  return { constants, data };
}
