import type { LlamaConfig } from "./llama_config.ts";
import { isAdapterName, LORA_B, withoutLora } from "./lora.ts";
import type { StoredTensor, Weights } from "./weights.ts";

/**
 * The policy that training starts from, frozen: over the same arrays but for adapters,
 * which are copied, or left out where they add nothing yet (every B is 0).
 */
export function startingPolicy(
  config: LlamaConfig,
  weights: Weights,
): { readonly config: LlamaConfig; readonly weights: Weights } {
  const adds = [...weights].some(([name, { data }]) => name.endsWith(LORA_B) && data.some((x) => x !== 0));
  if (adds) {
    const copied = [...weights].map(([name, tensor]): [string, StoredTensor] => [
      name,
      isAdapterName(name) ? { ...tensor, data: tensor.data.slice() } : tensor,
    ]);
    return { config, weights: new Map(copied) };
  }
  return {
    config: withoutLora(config),
    weights: new Map([...weights].filter(([name]) => !isAdapterName(name))),
  };
}
