import type { LlamaConfig } from "./llama_config.ts";
import { parameterCount } from "./parameter_count.ts";

const MOST = 4e6;

/**
 * Whether a core's cache holds the model (at most 4 million parameters). One step of
 * such a model is a matter of tens of microseconds an operator; a larger one is read
 * from memory at every step.
 */
export function staysInCache(config: LlamaConfig): boolean {
  return parameterCount(config) <= MOST;
}
