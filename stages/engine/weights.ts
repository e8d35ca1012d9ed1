/** A dense float32 tensor: `data` holds the product of `shape` numbers, last axis fastest. */
export interface Tensor {
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

/**
 * Parameters by their Hugging Face names (`model.layers.0.self_attn.q_proj.weight`),
 * each in that layout: a linear layer's weight is [out, in].
 */
export type Weights = ReadonlyMap<string, Tensor>;

/** Number of scalars in all tensors. */
export function countParameters(weights: Weights): number {
  let n = 0;
  for (const t of weights.values()) n += t.data.length;
  return n;
}

/** A deep copy: later changes to `weights` do not show in it. */
export function cloneWeights(weights: Weights): Map<string, Tensor> {
  return new Map([...weights].map(([name, t]) => [name, { shape: t.shape, data: t.data.slice() }]));
}
