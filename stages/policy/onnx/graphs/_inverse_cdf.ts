import { elementType, type GraphBuilder } from "../../../engine/onnx/graph.ts";

/** Ids of a block. */
const WIDTH = 128;
/** Up to this many ids, the sum over all of them costs next to nothing. */
const FEW = 2048;

/**
 * The first id whose cumulative probability exceeds u·total: int64 [B, 1]. Of
 * `probabilities` [B, size] the total need not be 1; `uniform` is [B, 1], in [0, 1).
 *
 * The cumulative sum is monotone in float32, so an id of probability 0 never
 * exceeds what the one before it did not; and u is kept so far below 1 that u·total
 * rounds to less than the total, which the last id with any probability reaches.
 */
export function inverseCdf(g: GraphBuilder, probabilities: string, uniform: string, size: number): string {
  const below = g.node("Min", [uniform, g.scalar(1 - 2 ** -24)]);
  if (size > FEW) return blockwise(g, probabilities, below, size);
  const cumulative = cumulate(g, probabilities);
  return countTrue(g, g.node("LessOrEqual", [cumulative, markOf(g, cumulative, below, size)]));
}

/**
 * The same by sums over blocks, which are parallel: only in the block that is hit are
 * ids added up one by one. Should these, added in another order, stay below the mark,
 * it is the last one with any probability.
 */
function blockwise(g: GraphBuilder, probabilities: string, uniform: string, size: number): string {
  const blocks = Math.ceil(size / WIDTH);
  const padding = blocks * WIDTH - size;
  const padded = padding === 0 ? probabilities : g.node("Pad", [probabilities, g.int([0, 0, 0, padding])]);
  const table = g.node("Reshape", [padded, g.int([0, blocks, WIDTH])]);
  const sums = g.node("ReduceSum", [table, g.int([2])], { attributes: { keepdims: 0 } });
  const cumulative = cumulate(g, sums);
  const mark = markOf(g, cumulative, uniform, blocks);
  const passed = g.node("LessOrEqual", [cumulative, mark]);
  const block = countTrue(g, passed);
  const before = largest(g, g.node("Where", [passed, cumulative, g.scalar(0)]));
  const ids = g.node("GatherND", [table, block], { attributes: { batch_dims: 1 } });
  const reached = g.node("Add", [cumulate(g, ids), before]);
  const within = countTrue(g, g.node("LessOrEqual", [reached, mark]));
  const positions = g.int(Array.from({ length: WIDTH }, (_, i) => i), [1, WIDTH]);
  const last = largest(
    g,
    g.node("Where", [g.node("Greater", [ids, g.scalar(0)]), positions, g.int([0], [])]),
  );
  return g.node("Add", [g.node("Mul", [block, g.int([WIDTH], [])]), g.node("Min", [within, last])]);
}

/** u·total [B, 1] of cumulative sums [B, size]. */
function markOf(g: GraphBuilder, cumulative: string, uniform: string, size: number): string {
  const total = g.node("Slice", [cumulative, g.int([size - 1]), g.int([size]), g.int([1])]);
  return g.node("Mul", [uniform, total]);
}

function cumulate(g: GraphBuilder, values: string): string {
  return g.node("CumSum", [values, g.int([1], [])]);
}

function largest(g: GraphBuilder, values: string): string {
  return g.node("ReduceMax", [values, g.int([1])], { attributes: { keepdims: 1 } });
}

/** How many of a row are true: int64 [B, 1]. */
function countTrue(g: GraphBuilder, flags: string): string {
  const numbers = g.node("Cast", [flags], { attributes: { to: elementType.int64 } });
  return g.node("ReduceSum", [numbers, g.int([1])], { attributes: { keepdims: 1 } });
}
