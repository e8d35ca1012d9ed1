import { isAdapterName, LORA_A, LORA_B, withoutLora } from "./lora.ts";
import type { LlamaModel } from "./read_llama_folder.ts";
import { type StoredTensor, type Tensor, widen } from "./weights.ts";

/**
 * The model that computes the same without adapters: W + (alpha/rank)·B·A. Its
 * adapted layers are new, its other parameters shared with `model` if that holds them
 * in float32.
 */
export function mergeLora<M extends Pick<LlamaModel, "config" | "weights">>(model: M): M {
  const { lora } = model.config;
  if (lora === undefined) return model;
  const weights = new Map<string, Tensor>();
  for (const [name, tensor] of model.weights) {
    if (isAdapterName(name)) continue;
    const layer = name.slice(0, -".weight".length);
    const a = model.weights.get(layer + LORA_A);
    const b = model.weights.get(layer + LORA_B);
    weights.set(
      name,
      a === undefined || b === undefined ? widen(tensor) : add(tensor, a, b, lora.alpha / lora.rank),
    );
  }
  const { storage: _, ...config } = withoutLora(model.config);
  return { ...model, config, weights };
}

function add(tensor: StoredTensor, a: StoredTensor, b: StoredTensor, scale: number): Tensor {
  const [rank, width] = a.shape;
  const { shape, data } = widen(tensor);
  const merged = data === tensor.data ? data.slice() : data;
  const row = new Float64Array(width);
  for (let o = 0; o < shape[0]; o++) {
    row.fill(0);
    for (let r = 0; r < rank; r++) {
      const factor = scale * b.data[o * rank + r];
      for (let i = 0; i < width; i++) row[i] += factor * a.data[r * width + i];
    }
    for (let i = 0; i < width; i++) merged[o * width + i] += row[i];
  }
  return { shape, data: merged };
}
