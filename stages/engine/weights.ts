/** A dense float32 tensor: `data` holds the product of `shape` numbers, last axis fastest. */
export interface Tensor {
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

/** A tensor in the form in which it is held: float16 only where adapters freeze a matrix. */
export interface StoredTensor {
  readonly shape: readonly number[];
  readonly data: Float32Array | Float16Array;
}

/**
 * Parameters by their Hugging Face names (`model.layers.0.self_attn.q_proj.weight`),
 * each in that layout: a linear layer's weight is [out, in].
 */
export type Weights = ReadonlyMap<string, StoredTensor>;

/** Whether numbers are held in float32. */
export function isFloat32(data: StoredTensor["data"]): data is Float32Array {
  return data.BYTES_PER_ELEMENT === 4;
}

/** The same numbers in float32; shared if they are. */
export function widen({ shape, data }: StoredTensor): Tensor {
  return { shape, data: isFloat32(data) ? data : Float32Array.from(data) };
}

/** The tensors that are held in float32: all that can be trained. */
export function float32Tensors(weights: Weights): Map<string, Tensor> {
  const tensors = new Map<string, Tensor>();
  for (const [name, { shape, data }] of weights) {
    if (isFloat32(data)) tensors.set(name, { shape, data });
  }
  return tensors;
}

/** Number of scalars in all tensors. */
export function countParameters(weights: Weights): number {
  let n = 0;
  for (const t of weights.values()) n += t.data.length;
  return n;
}

/** A deep copy: later changes to `weights` do not show in it. */
export function cloneWeights(weights: Weights): Map<string, StoredTensor> {
  return new Map([...weights].map(([name, t]) => [name, { shape: t.shape, data: t.data.slice() }]));
}
