import type { LlamaConfig } from "./llama_config.ts";
import { llamaParameterShapes } from "./llama_parameter_shapes.ts";

const MOST = 4e6;

/**
 * Whether a core's cache holds the model (at most 4 million parameters). One step of
 * such a model is a matter of tens of microseconds an operator; a larger one is read
 * from memory at every step.
 */
export function staysInCache(config: LlamaConfig): boolean {
  let parameters = 0;
  for (const shape of llamaParameterShapes(config).values()) parameters += shape.reduce((a, b) => a * b, 1);
  return parameters <= MOST;
}
