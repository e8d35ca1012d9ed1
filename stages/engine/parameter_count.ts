import type { LlamaConfig } from "./llama_config.ts";
import { llamaParameterShapes } from "./llama_parameter_shapes.ts";
import { sizeOf } from "./size_of.ts";

/** How many numbers a model of this architecture has, adapters included. */
export function parameterCount(config: LlamaConfig): number {
  let count = 0;
  for (const shape of llamaParameterShapes(config).values()) count += sizeOf(shape);
  return count;
}
