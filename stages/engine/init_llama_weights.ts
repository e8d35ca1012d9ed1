import { Rng } from "../seed.ts";
import type { LlamaConfig } from "./llama_config.ts";
import { llamaParameterShapes } from "./llama_parameter_shapes.ts";
import type { Tensor } from "./weights.ts";
import { sizeOf } from "./size_of.ts";

/**
 * Random parameters, a function of (config, seed). Linear layers are normal with
 * standard deviation 1/√fan_in, those that write into the residual stream
 * (o_proj, down_proj) also divided by √(2·layers) (Radford et al. 2019); the
 * embedding has 1/√hidden when it is the output head too, else 1; norms are 1, biases 0.
 * Each tensor has its own stream, so its values do not depend on the others.
 */
export function initLlamaWeights(config: LlamaConfig, seed: string | number): Map<string, Tensor> {
  const rng = new Rng(seed);
  const weights = new Map<string, Tensor>();
  for (const [name, shape] of llamaParameterShapes(config)) {
    const data = new Float32Array(sizeOf(shape));
    if (shape.length === 1) data.fill(name.endsWith(".bias") ? 0 : 1);
    else {
      const std = standardDeviation(name, shape[1], config);
      const own = rng.fork(name);
      for (let i = 0; i < data.length; i++) data[i] = std * own.normal();
    }
    weights.set(name, { shape, data });
  }
  return weights;
}

function standardDeviation(name: string, fanIn: number, config: LlamaConfig): number {
  if (name === "model.embed_tokens.weight") return config.tied ? 1 / Math.sqrt(fanIn) : 1;
  const residual = name.endsWith("o_proj.weight") || name.endsWith("down_proj.weight");
  return 1 / Math.sqrt(residual ? fanIn * 2 * config.layers : fanIn);
}
