/** A dense float32 tensor: `data` holds the product of `shape` numbers, last axis fastest. */
export interface Tensor {
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

/** A tensor in the form in which it is held: fewer than 32 bits only where a matrix is not trained. */
export interface StoredTensor {
  readonly shape: readonly number[];
  readonly data: Float32Array | Float16Array | Int8Array | Uint8Array;
  /** Of 8-bit data: what makes numbers of it. */
  readonly blocks?: Blocks;
}

/**
 * Runs of equal length along the rows of a matrix, each with its own scale: a number
 * is scale·q, or scale·q + minimum where there are minima.
 */
export interface Blocks {
  /** [rows, blocks of a row] */
  readonly scales: Float32Array;
  /** [rows, blocks of a row] */
  readonly minima?: Float32Array;
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
export function widen({ shape, data, blocks }: StoredTensor): Tensor {
  if (blocks === undefined) return { shape, data: isFloat32(data) ? data : Float32Array.from(data) };
  const { scales, minima } = blocks;
  const size = data.length / scales.length;
  const wide = new Float32Array(data.length);
  for (let block = 0, at = 0; block < scales.length; block++) {
    const [scale, minimum] = [scales[block], minima?.[block] ?? 0];
    for (const end = at + size; at < end; at++) wide[at] = scale * data[at] + minimum;
  }
  return { shape, data: wide };
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

/** A copy of all that can be trained: later changes to `weights` do not show in it. */
export function cloneWeights(weights: Weights): Map<string, StoredTensor> {
  return new Map([...weights].map(([name, t]) => [name, { ...t, data: t.data.slice() }]));
}
