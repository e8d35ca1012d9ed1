import type { LlamaConfig } from "./llama_config.ts";
import { isAdapterName } from "./lora.ts";
import { blockSize, quantize } from "./quantize.ts";
import { type Blocks, type StoredTensor, widen } from "./weights.ts";
import { sizeOf } from "./size_of.ts";

/**
 * Forms in which frozen matrices are held: `int8` in blocks with a scale, `uint8` in
 * blocks with a scale and a minimum.
 */
export type StoredType = "float32" | "float16" | "int8" | "uint8";

/** The form in which a parameter is held: only matrices are held in fewer bits, and never adapters. */
export function storedType(
  { storage = "float32" }: Pick<LlamaConfig, "storage">,
  name: string,
  shape: readonly number[],
): StoredType {
  return shape.length === 2 && !isAdapterName(name) ? storage : "float32";
}

/** Bytes that a parameter takes in this form. */
export function storedBytes(type: StoredType, shape: readonly number[]): number {
  const size = sizeOf(shape);
  if (type === "float32") return 4 * size;
  if (type === "float16") return 2 * size;
  const blocks = size / blockSize(shape[shape.length - 1]);
  return size + 4 * blocks * (type === "int8" ? 1 : 2);
}

/**
 * A tensor as a model with frozen matrices of this type holds it. Throws RangeError
 * for a number that the type cannot hold.
 */
export function storeTensor(tensor: StoredTensor, type: StoredType): StoredTensor {
  const { shape, blocks } = tensor;
  if (type === "float32" || shape.length !== 2) return widen(tensor);
  if (type !== "float16") return (blocks && asHeld(tensor, blocks, type)) ?? quantize(widen(tensor), type);
  const wide = widen(tensor);
  const data = new Float16Array(wide.data);
  const bad = data.findIndex((x) => !Number.isFinite(x));
  if (bad >= 0) throw new RangeError(`holds ${wide.data[bad]}, which float16 cannot hold`);
  return { shape, data };
}

/** A quantised tensor with the very numbers of its blocks, where `type` has room for its minima. */
function asHeld(tensor: StoredTensor, { scales, minima }: Blocks, type: "int8" | "uint8") {
  if ((minima === undefined) === (type === "int8")) return tensor;
  if (minima !== undefined) return undefined;
  // Numbers of 4 bits stay so: some products read fewer bits of them, and lose less to their minima.
  const shift = tensor.data.every((x: number) => x >= -8 && x <= 7) ? 8 : 128;
  const data = new Uint8Array(tensor.data.length);
  for (let i = 0; i < data.length; i++) data[i] = tensor.data[i] + shift;
  return { shape: tensor.shape, data, blocks: { scales, minima: scales.map((scale) => -shift * scale) } };
}
