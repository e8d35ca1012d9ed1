import type { LlamaConfig } from "./llama_config.ts";
import { isAdapterName, LORA_B, withoutLora } from "./lora.ts";
import type { StoredTensor, Weights } from "./weights.ts";

/**
 * The policy that training started from, frozen: over the same arrays but for adapters.
 * These are copies of `adapters` (default: those in `weights`), or left out where they
 * add nothing (every B is 0, or there are none).
 */
export function startingPolicy(
  config: LlamaConfig,
  weights: Weights,
  adapters: Weights = weights,
): { readonly config: LlamaConfig; readonly weights: Weights } {
  const adds = [...adapters].some(([name, { data }]) => name.endsWith(LORA_B) && data.some((x) => x !== 0));
  const base = [...weights].filter(([name]) => !isAdapterName(name));
  if (!adds) return { config: withoutLora(config), weights: new Map(base) };
  const copied = [...adapters].filter(([name]) => isAdapterName(name))
    .map(([name, tensor]): [string, StoredTensor] => [name, { ...tensor, data: tensor.data.slice() }]);
  return { config, weights: new Map([...base, ...copied]) };
}
