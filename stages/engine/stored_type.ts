import type { LlamaConfig } from "./llama_config.ts";
import { isAdapterName } from "./lora.ts";
import type { StoredTensor, Tensor } from "./weights.ts";

/** Forms in which frozen matrices are held. */
export type StoredType = "float32" | "float16";

/** The form in which a parameter is held: only matrices are held in fewer bits, and never adapters. */
export function storedType(
  { storage = "float32" }: Pick<LlamaConfig, "storage">,
  name: string,
  shape: readonly number[],
): StoredType {
  return shape.length === 2 && !isAdapterName(name) ? storage : "float32";
}

/**
 * A tensor as a model with frozen matrices of this type holds it. Throws RangeError
 * for a number that float16 cannot hold.
 */
export function storeTensor(tensor: Tensor, type: StoredType): StoredTensor {
  if (type === "float32" || tensor.shape.length !== 2) return tensor;
  const data = new Float16Array(tensor.data);
  const bad = data.findIndex((x) => !Number.isFinite(x));
  if (bad >= 0) throw new RangeError(`holds ${tensor.data[bad]}, which float16 cannot hold`);
  return { shape: tensor.shape, data };
}
