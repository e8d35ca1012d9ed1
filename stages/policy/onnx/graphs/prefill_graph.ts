import type { LlamaConfig } from "../../../engine/llama_config.ts";
import { GraphBuilder } from "../../../engine/onnx/graph.ts";
import { decodeInputs, ropeTables } from "./_decode_inputs.ts";
import type { DecodeConstants } from "./decode_constants.ts";
import { DecoderOperators } from "./_decoder_layer.ts";
import { causalMask, type PastCache, prefillAttention } from "./_prefill_attention.ts";
import { isDone, sampleToken } from "./_sampler.ts";
import { samplingLoop } from "./_sampling_loop.ts";

/** A product of many rows outweighs the packing of its matrix. */
const FED: DecodeConstants = new Map();

/**
 * Builds the graph that takes in new tokens of a batch of sequences and samples on:
 * a prefill, which samples one token, then a sampling Loop. The past (fed) and the
 * prefilled tokens are joined once, for both.
 *
 * Inputs besides those of `decodeInputs`, for n new tokens (left-padded): `ids`,
 * `positions` int64 [B, n]. `mask` covers past and new slots; `steps` is T - 1.
 *
 * Outputs besides those of `samplingLoop`: `first_token`, `first_logprob` [B, 1];
 * `new_keys_l`, `new_values_l` [B, kvHeads, n, headDim].
 */
export function prefillGraph(config: LlamaConfig, contextLength: number): Uint8Array {
  const g = new GraphBuilder();
  const layers = Array.from({ length: config.layers }, (_, l) => l);
  g.input("ids", "int64", ["B", "n"]);
  g.input("positions", "int64", ["B", "n"]);
  decodeInputs(g, config, FED);
  ropeTables(g, config, contextLength);
  const operators = new DecoderOperators(g, config, FED);

  const mask = causalMask(g, config);
  const cache: PastCache[] = [];
  const x = layers.reduce(
    (x, l) => operators.layer(x, l, "positions", prefillAttention(g, config, l, mask, cache)),
    operators.embed("ids"),
  );
  const last = (value: string) => g.node("Gather", [value, g.int([-1])], { attributes: { axis: 1 } });
  const logits = operators.logits({ sum: last(x.sum), delta: last(x.delta!) });
  const uniform = g.node("Gather", ["uniforms", g.int([0], [])], { attributes: { axis: 0 } });
  const first = sampleToken(g, logits, uniform, config.vocabSize);
  g.node("Identity", [first.token], { outputs: ["first_token"] });
  g.node("Identity", [first.logprob], { outputs: ["first_logprob"] });
  g.output("first_token", "int64", ["B", 1]);
  g.output("first_logprob", "float32", ["B", 1]);
  for (const name of layers.flatMap((l) => [`new_keys_${l}`, `new_values_${l}`])) {
    g.output(name, "float32", ["B", config.kvHeads, "n", config.headDim]);
  }
  samplingLoop(g, config, cache, {
    token: first.token,
    done: isDone(g, first.token, g.int([1], [])),
    position: last("positions"),
    index: 1,
  }, FED);
  return g.bytes();
}
