import { isAdapterName, LORA_A, LORA_B, withoutLora } from "./lora.ts";
import type { LlamaModel } from "./read_llama_folder.ts";
import type { Tensor } from "./weights.ts";

/**
 * The model that computes the same without adapters: W + (alpha/rank)·B·A. Its
 * adapted layers are new, its other parameters shared with `model`.
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
      a === undefined || b === undefined ? tensor : add(tensor, a, b, lora.alpha / lora.rank),
    );
  }
  return { ...model, config: withoutLora(model.config), weights };
}

function add({ shape, data }: Tensor, a: Tensor, b: Tensor, scale: number): Tensor {
  const [rank, width] = a.shape;
  const merged = data.slice();
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
