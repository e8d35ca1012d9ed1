import type { GraphBuilder } from "../../../engine/onnx/graph.ts";
import { inverseCdf } from "./_inverse_cdf.ts";

/** What is sampled in one step: token ids and log-probabilities, each [batch, 1]. */
export interface Sample {
  readonly token: string;
  readonly logprob: string;
}

/**
 * Samples by inverse CDF, or takes the likeliest id. Reads the outer graph's
 * `inverse_temperature` and `greedy` [batch, 1]; `uniform` is [batch, 1].
 */
export function sampleToken(g: GraphBuilder, logits: string, uniform: string, vocabSize: number): Sample {
  const scaled = g.node("LogSoftmax", [g.node("Mul", [logits, "inverse_temperature"])], {
    attributes: { axis: -1 },
  });
  const first = inverseCdf(g, g.node("Exp", [scaled]), uniform, vocabSize);
  const best = g.node("ArgMax", [logits], { attributes: { axis: 1, keepdims: 1 } });
  const token = g.node("Where", ["greedy", best, first]);
  return { token, logprob: g.node("GatherElements", [scaled, token], { attributes: { axis: 1 } }) };
}

/** Whether a row ends with `token`: it is a stop id, or the `count`-th token reaches the row's limit. */
export function isDone(g: GraphBuilder, token: string, count: string): string {
  const stopped = g.node("Gather", ["stops", token], { attributes: { axis: 0 } });
  return g.node("Or", [stopped, g.node("GreaterOrEqual", [count, "limits"])]);
}
