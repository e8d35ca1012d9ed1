import type { LlamaConfig } from "../../../engine/llama_config.ts";
import { elementType, GraphBuilder, MICROSOFT } from "../../../engine/onnx/graph.ts";
import { DecoderOperators, type Residual } from "./_decoder_layer.ts";
import type { DecodeConstants } from "./decode_constants.ts";
import type { PastCache } from "./_prefill_attention.ts";
import { isDone, sampleToken } from "./_sampler.ts";

/** Where a sampling Loop starts. */
export interface LoopStart {
  /** The token that it consumes first and whether its row is done: [B, 1]. */
  readonly token: string;
  readonly done: string;
  /** Position of that token minus `index`: int64 [B, 1]. */
  readonly position: string;
  /** How many tokens were sampled before. */
  readonly index: 0 | 1;
}

/**
 * Adds the Loop that consumes the token sampled last and samples the next, and the
 * graph outputs `tokens`, `logprobs` [rounds, B, 1] and `loop_keys_l`, `loop_values_l`
 * [B, kvHeads, rounds, headDim] of the tokens that it consumed.
 *
 * The past and the graph's inputs are read from the outer scope, never copied; only
 * the keys and values of the tokens that the loop itself consumes grow.
 */
export function samplingLoop(
  g: GraphBuilder,
  config: LlamaConfig,
  past: readonly PastCache[],
  start: LoopStart,
  constants: DecodeConstants,
): void {
  const lanes = past.flatMap((_, l) => [`loop_keys_${l}`, `loop_values_${l}`]);
  // What is the same in every round is computed here, outside.
  const lastIndex = g.node("Sub", ["limits", g.int([1], [])]);
  const pastLength = g.node("Slice", [g.node("Shape", ["mask"]), g.int([3]), g.int([4])]);
  const body = loopBody(config, past, { ...start, lastIndex, pastLength }, constants);
  g.nodes("Loop", ["steps", g.bool(true), start.token, start.done, ...lanes.map(() => "empty")], {
    attributes: { body },
    outputs: [g.fresh("token"), g.fresh("done"), ...lanes, "tokens", "logprobs"],
  });
  g.output("tokens", "int64", ["looped", "B", 1]);
  g.output("logprobs", "float32", ["looped", "B", 1]);
  for (const name of lanes) g.output(name, "float32", ["B", config.kvHeads, "consumed", config.headDim]);
}

function loopBody(
  config: LlamaConfig,
  past: readonly PastCache[],
  outer: LoopStart & { readonly lastIndex: string; readonly pastLength: string },
  constants: DecodeConstants,
): GraphBuilder {
  const { heads, kvHeads, headDim, vocabSize } = config;
  const b = new GraphBuilder("loop_");
  const operators = new DecoderOperators(b, config, constants);
  const step = b.input("step", "int64", []);
  b.input("go_on", "bool", []);
  const token = b.input("token_in", "int64", ["B", 1]);
  const doneBefore = b.input("done_in", "bool", ["B", 1]);
  const nextStep = b.node("Add", [step, b.int([1], [])]);
  const index = outer.index === 0 ? step : nextStep;
  const count = outer.index === 0 ? nextStep : b.node("Add", [index, b.int([1], [])]);
  // A row that has all its tokens stays where it is: the next position may lie beyond the context.
  const positions = b.node("Add", [outer.position, b.node("Min", [index, outer.lastIndex])]);
  const parts = b.node("Concat", [outer.pastLength, b.node("Reshape", [nextStep, b.int([1])])], {
    attributes: { axis: 0 },
  });

  const grown: string[] = [];
  const grow = (name: string, part: string): string => {
    const before = b.input(name, "float32", ["B", kvHeads, "c", headDim]);
    const after = b.node("Concat", [before, b.node("Reshape", [part, b.int([0, kvHeads, 1, headDim])])], {
      attributes: { axis: 2 },
    });
    grown.push(after);
    return after;
  };
  let x: Residual = operators.embed(token);
  for (let l = 0; l < config.layers; l++) {
    x = operators.layer(x, l, positions, (q, k, v) => {
      const keys = grow(`keys_in_${l}`, k);
      const values = grow(`values_in_${l}`, v);
      const queries = b.node("Reshape", [q, b.int([0, kvHeads, heads / kvHeads, headDim])]);
      const scores = (keys: string) =>
        b.node("FusedMatMul", [queries, keys], { domain: MICROSOFT, attributes: { transB: 1 } });
      const all = b.node("Concat", [b.node("Add", [scores(past[l].keys), "mask"]), scores(keys)], {
        attributes: { axis: 3 },
      });
      const weights = b.nodes("Split", [b.node("Softmax", [all], { attributes: { axis: -1 } }), parts], {
        attributes: { axis: 3 },
        outputCount: 2,
      });
      const attended = b.node("Add", [
        b.node("MatMul", [weights[0], past[l].values]),
        b.node("MatMul", [weights[1], values]),
      ]);
      return b.node("Reshape", [attended, b.int([0, 1, heads * headDim])]);
    });
  }
  const uniform = b.node("Gather", ["uniforms", index], { attributes: { axis: 0 } });
  const next = sampleToken(b, operators.logits(x), uniform, vocabSize);
  const done = b.node("Or", [doneBefore, isDone(b, next.token, count)]);
  const allDone = b.node("ReduceMin", [b.node("Cast", [done], { attributes: { to: elementType.int64 } })], {
    attributes: { keepdims: 0 },
  });

  b.output(b.node("Equal", [allDone, b.int([0], [])]), "bool", []);
  b.output(next.token, "int64", ["B", 1]);
  b.output(done, "bool", ["B", 1]);
  for (const value of grown) b.output(value, "float32", ["B", kvHeads, "c_after", headDim]);
  b.output(b.node("Identity", [next.token]), "int64", ["B", 1]);
  b.output(next.logprob, "float32", ["B", 1]);
  return b;
}
