import type { LlamaConfig } from "../../../engine/llama_config.ts";
import { llamaParameterShapes } from "../../../engine/llama_parameter_shapes.ts";
import type { GraphBuilder } from "../../../engine/onnx/graph.ts";
import { declareAlways, declareStored, storedMatrix } from "../../../engine/onnx/stored_product.ts";
import { declareFourBits } from "./_four_bit_product.ts";
import type { DecodeConstants } from "./decode_constants.ts";
import { ropeFrequencies } from "../../../engine/rope_scaling.ts";

/**
 * Declares what every graph that samples reads, for B rows, P past slots and T
 * tokens to sample: `mask` [B, 1, 1, slots], 0 or -1e9; `uniforms` [T, B, 1];
 * `steps` int64 [], most rounds of the sampling Loop; `inverse_temperature` [B, 1];
 * `greedy` bool [B, 1]; `limits` int64 [B, 1], most tokens to sample; `stops` bool
 * [vocab]; `empty` [B, kvHeads, 0, headDim]; `past_keys_l`, `past_values_l` [B, kvHeads,
 * P, headDim]; and the parameters as `decodeWeights` makes them. Of these,
 * `constants` are given to the session instead.
 */
export function decodeInputs(g: GraphBuilder, config: LlamaConfig, constants: DecodeConstants): void {
  const { kvHeads, headDim } = config;
  declareAlways(g, "ids");
  g.input("mask", "float32", ["B", 1, 1, "slots"]);
  g.input("uniforms", "float32", ["T", "B", 1]);
  g.input("steps", "int64", []);
  g.input("inverse_temperature", "float32", ["B", 1]);
  g.input("greedy", "bool", ["B", 1]);
  g.input("limits", "int64", ["B", 1]);
  g.input("stops", "bool", [config.vocabSize]);
  g.input("empty", "float32", ["B", kvHeads, 0, headDim]);
  for (let l = 0; l < config.layers; l++) {
    for (const part of ["keys", "values"]) {
      g.input(`past_${part}_${l}`, "float32", ["B", kvHeads, "P", headDim]);
    }
  }
  for (const [name, shape] of llamaParameterShapes(config)) {
    const constant = constants.get(name);
    if (constant?.planes !== undefined) declareFourBits(g, constant);
    else if (constant !== undefined) g.external(constant.path, "float32", shape);
    // A tied head's matrix is read by rows too.
    if (constant !== undefined && !isRead(name)) continue;
    const stored = storedMatrix(config, name, shape);
    if (stored !== undefined) declareStored(g, stored);
    else g.input(name, "float32", shape);
  }
}

/** Whether the graph reads rows of the matrix, beside any product with it. */
function isRead(name: string): boolean {
  return name === "model.embed_tokens.weight";
}

/** `rope_cos`, `rope_sin` [contextLength, headDim / 2] of the angles position · frequency. */
export function ropeTables(g: GraphBuilder, config: LlamaConfig, contextLength: number): void {
  const { frequencies, amplitude } = ropeFrequencies(config);
  const half = frequencies.length;
  const table = (name: string, of: (x: number) => number) => {
    const values = Float64Array.from(
      { length: contextLength * half },
      (_, i) => amplitude * of(Math.floor(i / half) * frequencies[i % half]),
    );
    g.node("Identity", [g.float(values, [contextLength, half])], { outputs: [name] });
  };
  table("rope_cos", Math.cos);
  table("rope_sin", Math.sin);
}
