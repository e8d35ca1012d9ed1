import { elementType, type GraphBuilder } from "../../engine/onnx/graph.ts";

/** What is sampled in one step: token ids and log-probabilities, each [batch, 1]. */
export interface Sample {
  readonly token: string;
  readonly logprob: string;
}

/**
 * Samples by inverse CDF: the first id whose cumulative probability exceeds u·total.
 *
 * The cumulative sum is monotone in float32, so an id of probability 0 never
 * exceeds what the one before it did not; and u is kept so far below 1 that u·total
 * rounds to less than the total, which the last id with any probability reaches. Reads
 * the outer graph's `inverse_temperature` and `greedy` [batch, 1]; `uniform` is [batch, 1].
 */
export function sampleToken(g: GraphBuilder, logits: string, uniform: string, vocabSize: number): Sample {
  const scaled = g.node("LogSoftmax", [g.node("Mul", [logits, "inverse_temperature"])], {
    attributes: { axis: -1 },
  });
  const cumulative = g.node("CumSum", [g.node("Exp", [scaled]), g.int([1], [])]);
  const total = g.node("Slice", [cumulative, g.int([vocabSize - 1]), g.int([vocabSize]), g.int([1])]);
  const below = g.node("Min", [uniform, g.scalar(1 - 2 ** -24)]);
  const passed = g.node("LessOrEqual", [cumulative, g.node("Mul", [below, total])]);
  const first = g.node(
    "ReduceSum",
    [g.node("Cast", [passed], { attributes: { to: elementType.int64 } }), g.int([1])],
    { attributes: { keepdims: 1 } },
  );
  const best = g.node("ArgMax", [logits], { attributes: { axis: 1, keepdims: 1 } });
  const token = g.node("Where", ["greedy", best, first]);
  return { token, logprob: g.node("GatherElements", [scaled, token], { attributes: { axis: 1 } }) };
}

/** Whether a row ends with `token`: it is a stop id, or the `count`-th token reaches the row's limit. */
export function isDone(g: GraphBuilder, token: string, count: string): string {
  const stopped = g.node("Gather", ["stops", token], { attributes: { axis: 0 } });
  return g.node("Or", [stopped, g.node("GreaterOrEqual", [count, "limits"])]);
}
