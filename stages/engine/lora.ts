import type { LlamaConfig } from "./llama_config.ts";

/**
 * Low-rank adapters (Hu et al. 2021): an adapted linear layer computes
 * x·Wᵀ + (alpha/rank)·x·Aᵀ·Bᵀ with its W frozen, A [rank, in] and B [out, rank].
 */
export interface Lora {
  /** Columns of A and B: what an adapter's product can span. */
  readonly rank: number;
  /** Adapters are scaled by alpha/rank. */
  readonly alpha: number;
  /** Names of the adapted linear layers within a block, `q_proj`; none: all of them. */
  readonly targetModules: readonly string[];
}

/** Suffixes of an adapted layer's parameters, after the layer's name. */
export const LORA_A = ".lora_A.weight";
export const LORA_B = ".lora_B.weight";

/** Whether a parameter belongs to an adapter. */
export function isAdapterName(name: string): boolean {
  return name.endsWith(LORA_A) || name.endsWith(LORA_B);
}

/** Whether the linear layer `layer` (`model.layers.0.self_attn.q_proj`) has an adapter. */
export function isAdapted({ lora }: { readonly lora?: Lora }, layer: string): boolean {
  if (lora === undefined || !/^model\.layers\.\d+\..*_proj$/.test(layer)) return false;
  return lora.targetModules.length === 0 ||
    lora.targetModules.includes(layer.slice(layer.lastIndexOf(".") + 1));
}

/** The architecture under the adapters. */
export function withoutLora(config: LlamaConfig): LlamaConfig {
  const { lora: _, ...base } = config;
  return base;
}
