import type { LlamaConfig } from "../../engine/llama_config.ts";
import { llamaParameterShapes } from "../../engine/llama_parameter_shapes.ts";
import { ropeFrequencies } from "../../engine/rope_scaling.ts";
import { GraphBuilder } from "../../engine/onnx/graph.ts";
import { DecoderOperators } from "./_decoder_layer.ts";
import { causalMask, type PastCache, prefillAttention } from "./_prefill_attention.ts";
import { isDone, sampleToken } from "./_sampler.ts";
import { samplingLoop } from "./_sampling_loop.ts";

/**
 * Builds the graph that continues a batch of sequences: a prefill of their new
 * tokens, then a sampling Loop.
 *
 * The cache has two parts. The past (fed) and the prefilled tokens are joined once
 * and read by the loop from the outer scope, never copied; only the keys and
 * values of the tokens that the loop itself consumed grow inside it.
 *
 * Inputs for B rows, P past slots, n new tokens (left-padded), T tokens to sample:
 * `ids`, `positions` int64 [B, n]; `mask` [B, 1, 1, P + n], 0 or -1e9, over past and
 * new slots; `uniforms` [T, B, 1]; `steps` int64 [] = T - 1; `inverse_temperature`
 * [B, 1]; `greedy` bool [B, 1]; `limits` int64 [B, 1], most tokens to sample;
 * `stops` bool [vocab]; `empty` [B, kvHeads, 0, headDim]; `past_keys_l`, `past_values_l`
 * [B, kvHeads, P, headDim]; and the parameters as `packDecodeWeights` makes them.
 *
 * Outputs: `first_token`, `first_logprob` [B, 1] and `tokens`, `logprobs` [≤ T - 1, B, 1]
 * (shorter if every row is done); `new_keys_l`, `new_values_l` [B, kvHeads, n, headDim]
 * and `loop_keys_l`, `loop_values_l` of the tokens that the loop consumed.
 */
export function decodeGraph(config: LlamaConfig, contextLength: number): Uint8Array {
  const g = new GraphBuilder();
  const layers = Array.from({ length: config.layers }, (_, l) => l);
  declareInputs(g, config);
  ropeTables(g, config, contextLength);
  const operators = new DecoderOperators(g, config);

  const mask = causalMask(g, config);
  const cache: PastCache[] = [];
  const x = layers.reduce(
    (x, l) => operators.layer(x, l, "positions", prefillAttention(g, config, l, mask, cache)),
    operators.embed("ids"),
  );
  const last = (value: string, outputs = [g.fresh("last")]) =>
    g.node("Gather", [value, g.int([-1])], { attributes: { axis: 1 }, outputs });
  last("positions", ["last_position"]);
  const logits = operators.logits({ sum: last(x.sum), delta: last(x.delta!) });
  const uniform = g.node("Gather", ["uniforms", g.int([0], [])], { attributes: { axis: 0 } });
  const first = sampleToken(g, logits, uniform, config.vocabSize);
  g.node("Identity", [first.token], { outputs: ["first_token"] });
  g.node("Identity", [first.logprob], { outputs: ["first_logprob"] });
  const done = isDone(g, first.token, g.int([1], []));

  const lanes = (part: string) => layers.flatMap((l) => [`${part}_keys_${l}`, `${part}_values_${l}`]);
  g.nodes("Loop", ["steps", g.bool(true), first.token, done, ...lanes("").map(() => "empty")], {
    attributes: { body: samplingLoop(config, cache) },
    outputs: [g.fresh("token"), g.fresh("done"), ...lanes("loop"), "tokens", "logprobs"],
  });
  const lane = (length: string) => ["B", config.kvHeads, length, config.headDim];
  g.output("first_token", "int64", ["B", 1]);
  g.output("first_logprob", "float32", ["B", 1]);
  g.output("tokens", "int64", ["looped", "B", 1]);
  g.output("logprobs", "float32", ["looped", "B", 1]);
  for (const name of lanes("new")) g.output(name, "float32", lane("n"));
  for (const name of lanes("loop")) g.output(name, "float32", lane("consumed"));
  return g.bytes();
}

function declareInputs(g: GraphBuilder, config: LlamaConfig): void {
  const { kvHeads, headDim } = config;
  g.input("ids", "int64", ["B", "n"]);
  g.input("positions", "int64", ["B", "n"]);
  g.input("mask", "float32", ["B", 1, 1, "P_n"]);
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
  for (const [name, shape] of llamaParameterShapes(config)) g.input(name, "float32", shape);
}

/** `rope_cos`, `rope_sin` [contextLength, headDim / 2] of the angles position · frequency. */
function ropeTables(g: GraphBuilder, config: LlamaConfig, contextLength: number): void {
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
