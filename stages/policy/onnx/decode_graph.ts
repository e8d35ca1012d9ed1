import type { LlamaConfig } from "../../engine/llama_config.ts";
import { type Dim, elementType, GraphBuilder } from "../../engine/onnx/graph.ts";
import { DecoderOperators, type KeyValue, type Residual } from "./_decoder_layer.ts";
import { sampleToken } from "./_sampler.ts";

/**
 * Builds the graph that continues a batch of sequences: a prefill of their new
 * tokens, then a sampling Loop.
 *
 * The cache has two parts. The past (fed) and the prefilled tokens are joined once
 * and read by the loop from the outer scope, never copied; only the keys and
 * values of the tokens that the loop itself consumed grow inside it.
 *
 * Inputs, B rows, P past slots, n new tokens (left-padded), T sampled tokens:
 * `ids`, `positions` int64 [B, n]; `mask` [B, 1, 1, P + n], 0 or -1e9, over past and
 * new slots; `uniforms` [T, B, 1]; `steps` int64 [] = T - 1; `inverse_temperature`
 * [B, 1]; `greedy` bool [B, 1]; `limits` int64 [B, 1], most tokens to sample;
 * `stops` bool [vocab]; `empty` [B, kvHeads, 0, headDim]; `past_keys_l`, `past_values_l`
 * [B, kvHeads, P, headDim]; and the parameters of `packDecodeWeights`.
 *
 * Outputs: `first_token` [B, 1], `first_logprob` [B, 1] and `tokens`, `logprobs`
 * [≤ T - 1, B, 1] (shorter if every row stopped); `new_keys_l`, `new_values_l` [B, kvHeads, n,
 * headDim] and `loop_keys_l`, `loop_values_l` of the tokens the loop consumed.
 */
export function decodeGraph(config: LlamaConfig, contextLength: number): Uint8Array {
  const g = new GraphBuilder();
  const { layers, kvHeads, headDim, vocabSize } = config;
  const layerIndices = Array.from({ length: layers }, (_, l) => l);
  declareInputs(g, config);
  ropeTables(g, config, contextLength);
  const operators = new DecoderOperators(g, config);

  const causal = causalMask(g, config);
  const cache: KeyValue[] = [];
  let x: Residual = { sum: g.node("Gather", ["embed", "ids"], { attributes: { axis: 0 } }) };
  for (const l of layerIndices) {
    x = operators.layer(x, l, "positions", (q, k, v) => {
      const own = {
        keys: toHeads(g, k, config, `new_keys_${l}`),
        values: toHeads(g, v, config, `new_values_${l}`),
      };
      cache[l] = {
        keys: g.node("Concat", [`past_keys_${l}`, own.keys], { attributes: { axis: 2 } }),
        values: g.node("Concat", [`past_values_${l}`, own.values], { attributes: { axis: 2 } }),
      };
      const scores = g.node("Add", [operators.scores(groupQueries(g, q, config), cache[l].keys), causal]);
      const weights = g.node("Softmax", [scores], { attributes: { axis: -1 } });
      return ungroup(g, g.node("MatMul", [weights, cache[l].values]), config);
    });
  }
  const lastSlot = (value: string) => g.node("Gather", [value, g.int([-1])], { attributes: { axis: 1 } });
  const last = { sum: lastSlot(x.sum), ...(x.delta === undefined ? {} : { delta: lastSlot(x.delta) }) };
  const uniform = g.node("Gather", ["uniforms", g.int([0], [])], { attributes: { axis: 0 } });
  const first = sampleToken(g, operators.logits(last), uniform, vocabSize);
  g.node("Identity", [first.token], { outputs: ["first_token"] });
  g.node("Identity", [first.logprob], { outputs: ["first_logprob"] });
  g.node("Identity", [lastSlot("positions")], { outputs: ["last_position"] });
  const done = isDone(g, "first_token", g.int([1], []));

  const body = loopBody(config, cache);
  g.nodes("Loop", [
    "steps",
    g.bool(true),
    "first_token",
    done,
    ...layerIndices.flatMap(() => ["empty", "empty"]),
  ], {
    attributes: { body },
    outputs: [
      g.fresh("last_token"),
      g.fresh("done"),
      ...layerIndices.flatMap((l) => [`loop_keys_${l}`, `loop_values_${l}`]),
      "tokens",
      "logprobs",
    ],
  });
  g.output("first_token", "int64", ["B", 1]);
  g.output("first_logprob", "float32", ["B", 1]);
  g.output("tokens", "int64", ["sampled", "B", 1]);
  g.output("logprobs", "float32", ["sampled", "B", 1]);
  for (const l of layerIndices) {
    g.output(`new_keys_${l}`, "float32", ["B", kvHeads, "n", headDim]);
    g.output(`new_values_${l}`, "float32", ["B", kvHeads, "n", headDim]);
    g.output(`loop_keys_${l}`, "float32", ["B", kvHeads, "consumed", headDim]);
    g.output(`loop_values_${l}`, "float32", ["B", kvHeads, "consumed", headDim]);
  }
  return g.bytes();
}

/** One step: consumes the last sampled token and samples the next. */
function loopBody(config: LlamaConfig, cache: readonly KeyValue[]): GraphBuilder {
  const { heads, kvHeads, headDim, vocabSize } = config;
  const b = new GraphBuilder("loop_");
  const operators = new DecoderOperators(b, config);
  const step = b.input("step", "int64", []);
  b.input("go_on", "bool", []);
  const token = b.input("token_in", "int64", ["B", 1]);
  const doneBefore = b.input("done_in", "bool", ["B", 1]);
  const index = b.node("Add", [step, b.int([1], [])]);
  const positions = b.node("Add", ["last_position", index]);
  const grown: KeyValue[] = [];
  let x: Residual = { sum: b.node("Gather", ["embed", token], { attributes: { axis: 0 } }) };
  const pastLength = b.node("Slice", [
    b.node("Shape", ["mask"]),
    b.int([3]),
    b.int([4]),
  ]);
  for (let l = 0; l < config.layers; l++) {
    const before = {
      keys: b.input(`keys_in_${l}`, "float32", ["B", kvHeads, "c", headDim]),
      values: b.input(`values_in_${l}`, "float32", ["B", kvHeads, "c", headDim]),
    };
    x = operators.layer(x, l, positions, (q, k, v) => {
      const grow = (old: string, part: string) =>
        b.node("Concat", [old, b.node("Reshape", [part, b.int([0, kvHeads, 1, headDim])])], {
          attributes: { axis: 2 },
        });
      grown[l] = { keys: grow(before.keys, k), values: grow(before.values, v) };
      const queries = b.node("Reshape", [q, b.int([0, kvHeads, heads / kvHeads, headDim])]);
      const past = b.node("Add", [operators.scores(queries, cache[l].keys), "mask"]);
      const scores = b.node("Concat", [past, operators.scores(queries, grown[l].keys)], {
        attributes: { axis: 3 },
      });
      const weights = b.node("Softmax", [scores], { attributes: { axis: -1 } });
      const from = (start: string, end: string, values: string) =>
        b.node("MatMul", [b.node("Slice", [weights, start, end, b.int([3])]), values]);
      const sum = b.node("Add", [
        from(b.int([0]), pastLength, cache[l].values),
        from(pastLength, b.int([2 ** 40]), grown[l].values),
      ]);
      return b.node("Reshape", [sum, b.int([0, 1, heads * headDim])]);
    });
  }
  const uniform = b.node("Gather", ["uniforms", index], { attributes: { axis: 0 } });
  const next = sampleToken(b, operators.logits(x), uniform, vocabSize);
  const count = b.node("Add", [index, b.int([1], [])]);
  const done = b.node("Or", [doneBefore, isDone(b, next.token, count)]);
  const allDone = b.node("ReduceMin", [b.node("Cast", [done], { attributes: { to: elementType.int64 } })], {
    attributes: { keepdims: 0 },
  });
  b.output(b.node("Equal", [allDone, b.int([0], [])]), "bool", []);
  b.output(next.token, "int64", ["B", 1]);
  b.output(done, "bool", ["B", 1]);
  for (const { keys, values } of grown) {
    b.output(keys, "float32", ["B", kvHeads, "c2", headDim]);
    b.output(values, "float32", ["B", kvHeads, "c2", headDim]);
  }
  b.output(b.node("Identity", [next.token]), "int64", ["B", 1]);
  b.output(next.logprob, "float32", ["B", 1]);
  return b;
}

/** A stop id was sampled or the row's limit is reached. */
function isDone(g: GraphBuilder, token: string, count: string): string {
  const stopped = g.node("Gather", ["stops", token], { attributes: { axis: 0 } });
  return g.node("Or", [stopped, g.node("GreaterOrEqual", [count, "limits"])]);
}

/** [B, n, kvHeads·headDim] → [B, kvHeads, n, headDim]. */
function toHeads(g: GraphBuilder, x: string, { kvHeads, headDim }: LlamaConfig, output: string): string {
  return g.node("Transpose", [g.node("Reshape", [x, g.int([0, 0, kvHeads, headDim])])], {
    attributes: { perm: [0, 2, 1, 3] },
    outputs: [output],
  });
}

/** [B, n, heads·headDim] → [B, kvHeads, group·n, headDim]: the queries that share a key head, side by side. */
function groupQueries(g: GraphBuilder, q: string, { heads, kvHeads, headDim }: LlamaConfig): string {
  const split = g.node("Reshape", [q, g.int([0, 0, kvHeads, heads / kvHeads, headDim])]);
  const turned = g.node("Transpose", [split], { attributes: { perm: [0, 2, 3, 1, 4] } });
  return g.node("Reshape", [turned, g.int([0, 0, -1, headDim])]);
}

/** Undoes {@link groupQueries}. */
function ungroup(g: GraphBuilder, x: string, { heads, kvHeads, headDim }: LlamaConfig): string {
  const split = g.node("Reshape", [x, g.int([0, 0, heads / kvHeads, -1, headDim])]);
  const turned = g.node("Transpose", [split], { attributes: { perm: [0, 3, 1, 2, 4] } });
  return g.node("Reshape", [turned, g.int([0, 0, heads * headDim])]);
}

/** `mask` plus -1e9 where a new slot would see a later one: [B, 1, group·n, P + n]. */
function causalMask(g: GraphBuilder, { heads, kvHeads }: LlamaConfig): string {
  const size = (value: string, axis: number) =>
    g.node("Slice", [g.node("Shape", [value]), g.int([axis]), g.int([axis + 1])]);
  const n = size("ids", 1);
  const total = size("mask", 3);
  const square = g.node("Concat", [n, total], { attributes: { axis: 0 } });
  const blocked = g.node("Expand", [g.float([-1e9], []), square]);
  // Slot i of the new ones is column P + i: what lies right of that diagonal is later.
  const diagonal = g.node("Squeeze", [
    g.node("Add", [g.node("Sub", [total, n]), g.int([1])]),
  ]);
  const later = g.node("Trilu", [blocked, diagonal], { attributes: { upper: 1 } });
  const mask = g.node("Add", ["mask", later]);
  const group = heads / kvHeads;
  return group === 1 ? mask : g.node("Concat", Array(group).fill(mask), { attributes: { axis: 2 } });
}

function declareInputs(g: GraphBuilder, config: LlamaConfig): void {
  const { kvHeads, headDim, hiddenSize, vocabSize } = config;
  const q = config.heads * headDim;
  const kv = kvHeads * headDim;
  const float = (name: string, ...shape: readonly Dim[]) => g.input(name, "float32", shape);
  g.input("ids", "int64", ["B", "n"]);
  g.input("positions", "int64", ["B", "n"]);
  float("mask", "B", 1, 1, "P_n");
  float("uniforms", "T", "B", 1);
  g.input("steps", "int64", []);
  float("inverse_temperature", "B", 1);
  g.input("greedy", "bool", ["B", 1]);
  g.input("limits", "int64", ["B", 1]);
  g.input("stops", "bool", [vocabSize]);
  float("empty", "B", kvHeads, 0, headDim);
  float("embed", vocabSize, hiddenSize);
  for (let l = 0; l < config.layers; l++) {
    float(`past_keys_${l}`, "B", kvHeads, "P", headDim);
    float(`past_values_${l}`, "B", kvHeads, "P", headDim);
    float(`norm1_${l}`, hiddenSize);
    float(`qkv_${l}`, q + 2 * kv, hiddenSize);
    float(`out_${l}`, hiddenSize, q);
    float(`norm2_${l}`, hiddenSize);
    float(`gate_up_${l}`, 2 * config.intermediateSize, hiddenSize);
    float(`down_${l}`, hiddenSize, config.intermediateSize);
  }
  float("norm", hiddenSize);
  if (!config.tied) float("head", vocabSize, hiddenSize);
}

/** `rope_cos`, `rope_sin` [contextLength, headDim / 2]: angle position·theta^(-2i/headDim). */
function ropeTables(g: GraphBuilder, config: LlamaConfig, contextLength: number): void {
  const half = config.headDim / 2;
  const angles = Float64Array.from(
    { length: contextLength * half },
    (_, i) => Math.floor(i / half) * config.ropeTheta ** (-2 * (i % half) / config.headDim),
  );
  const table = (name: string, of: (x: number) => number) =>
    g.node("Identity", [g.float(Array.from(angles, of), [contextLength, half])], { outputs: [name] });
  table("rope_cos", Math.cos);
  table("rope_sin", Math.sin);
}
