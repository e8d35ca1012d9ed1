import type { LlamaConfig } from "../../../engine/llama_config.ts";
import { GraphBuilder } from "../../../engine/onnx/graph.ts";
import type { DecodeConstants } from "./decode_constants.ts";
import { decodeInputs, ropeTables } from "./_decode_inputs.ts";
import { samplingLoop } from "./_sampling_loop.ts";

/**
 * Builds the graph that samples on for a batch of sequences that each have one token
 * outside their cache: the sampling Loop alone, which reads the fed past as it is.
 *
 * Inputs besides those of `decodeInputs`: `ids`, `positions` int64 [B, 1] of those
 * tokens. `mask` covers the past; `steps` is T. Outputs: those of `samplingLoop`.
 */
export function continueGraph(
  config: LlamaConfig,
  contextLength: number,
  constants: DecodeConstants,
): Uint8Array {
  const g = new GraphBuilder();
  g.input("ids", "int64", ["B", 1]);
  g.input("positions", "int64", ["B", 1]);
  decodeInputs(g, config, constants);
  ropeTables(g, config, contextLength);
  const past = Array.from(
    { length: config.layers },
    (_, l) => ({ keys: `past_keys_${l}`, values: `past_values_${l}` }),
  );
  const done = g.node("Less", ["limits", g.int([1], [])]);
  samplingLoop(g, config, past, { token: "ids", done, position: "positions", index: 0 }, constants);
  return g.bytes();
}
