import type { LlamaConfig } from "../../engine/llama_config.ts";
import { elementType, GraphBuilder, MICROSOFT } from "../../engine/onnx/graph.ts";
import { DecoderOperators, type Residual } from "./_decoder_layer.ts";
import type { PastCache } from "./_prefill_attention.ts";
import { isDone, sampleToken } from "./_sampler.ts";

/**
 * The body of the sampling Loop: consumes the last sampled token and samples the
 * next. Reads `past` and the graph's inputs from the outer scope; only the keys and
 * values of the tokens that it consumed itself grow.
 */
export function samplingLoop(config: LlamaConfig, past: readonly PastCache[]): GraphBuilder {
  const { heads, kvHeads, headDim, vocabSize } = config;
  const b = new GraphBuilder("loop_");
  const operators = new DecoderOperators(b, config);
  const step = b.input("step", "int64", []);
  b.input("go_on", "bool", []);
  const token = b.input("token_in", "int64", ["B", 1]);
  const doneBefore = b.input("done_in", "bool", ["B", 1]);
  const index = b.node("Add", [step, b.int([1], [])]);
  // A row that has all its tokens stays where it is: the next position may lie beyond the context.
  const advance = b.node("Min", [index, b.node("Sub", ["limits", b.int([1], [])])]);
  const positions = b.node("Add", ["last_position", advance]);
  const pastLength = b.node("Slice", [b.node("Shape", ["mask"]), b.int([3]), b.int([4])]);

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
      const old = b.node("Add", [scores(past[l].keys), "mask"]);
      const weights = b.node(
        "Softmax",
        [b.node("Concat", [old, scores(keys)], { attributes: { axis: 3 } })],
        {
          attributes: { axis: -1 },
        },
      );
      const attend = (start: string, end: string, values: string) =>
        b.node("MatMul", [b.node("Slice", [weights, start, end, b.int([3])]), values]);
      const sum = b.node("Add", [
        attend(b.int([0]), pastLength, past[l].values),
        attend(pastLength, b.int([2 ** 40]), values),
      ]);
      return b.node("Reshape", [sum, b.int([0, 1, heads * headDim])]);
    });
  }
  const uniform = b.node("Gather", ["uniforms", index], { attributes: { axis: 0 } });
  const next = sampleToken(b, operators.logits(x), uniform, vocabSize);
  const done = b.node("Or", [doneBefore, isDone(b, next.token, b.node("Add", [index, b.int([1], [])]))]);
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
