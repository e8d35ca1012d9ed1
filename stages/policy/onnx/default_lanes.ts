import type { LlamaConfig } from "../../engine/llama_config.ts";
import { llamaParameterShapes } from "../../engine/llama_parameter_shapes.ts";

/** Up to here the weights stay in a core's cache, and one step is a matter of tens of microseconds an operator. */
const SMALL = 4e6;

/**
 * Batches that a model is best decoded in side by side: 2 for a small one, on any
 * number of cores, so that what is sampled does not depend on the machine; 1 for a
 * large one, which every batch would read from memory again.
 */
export function defaultLanes(config: LlamaConfig): number {
  let parameters = 0;
  for (const shape of llamaParameterShapes(config).values()) parameters += shape.reduce((a, b) => a * b, 1);
  return parameters <= SMALL ? 2 : 1;
}
