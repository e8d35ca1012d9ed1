import type { LlamaConfig } from "../../../engine/llama_config.ts";
import { staysInCache } from "../../../engine/stays_in_cache.ts";

/**
 * Batches that a model is best decoded in side by side: 2 for a small one, on any
 * number of cores, so that what is sampled does not depend on the machine; 1 for a
 * large one, which every batch would read from memory again.
 */
export function defaultLanes(config: LlamaConfig): number {
  return staysInCache(config) ? 2 : 1;
}
