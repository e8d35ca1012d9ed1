import { elementType, type GraphBuilder } from "../../engine/onnx/graph.ts";

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
 *
 * Many ids are summed by blocks, which is parallel, and only the block that is hit
 * id by id. Should its ids, added up in another order, stay below the mark, it is the
 * last one with any probability.
 */
export function inverseCdf(g: GraphBuilder, probabilities: string, uniform: string, size: number): string {
  const below = g.node("Min", [uniform, g.scalar(1 - 2 ** -24)]);
  const mark = (cumulative: string, count: number) => {
    const total = g.node("Slice", [cumulative, g.int([count - 1]), g.int([count]), g.int([1])]);
    return g.node("Mul", [below, total]);
  };
  if (size <= FEW) {
    const cumulative = cumulate(g, probabilities);
    return count(g, g.node("LessOrEqual", [cumulative, mark(cumulative, size)]));
  }
  const blocks = Math.ceil(size / WIDTH);
  const table = g.node("Reshape", [
    padded(g, probabilities, blocks * WIDTH - size),
    g.int([0, blocks, WIDTH]),
  ]);
  const sums = g.node("ReduceSum", [table, g.int([2])], { attributes: { keepdims: 0 } });
  const cumulative = cumulate(g, sums);
  const target = mark(cumulative, blocks);
  const passed = g.node("LessOrEqual", [cumulative, target]);
  const block = count(g, passed);
  const before = g.node("ReduceMax", [g.node("Where", [passed, cumulative, g.scalar(0)]), g.int([1])], {
    attributes: { keepdims: 1 },
  });
  const ids = g.node("GatherND", [table, block], { attributes: { batch_dims: 1 } });
  const within = count(g, g.node("LessOrEqual", [g.node("Add", [cumulate(g, ids), before]), target]));
  const positions = g.int(Array.from({ length: WIDTH }, (_, i) => i), [1, WIDTH]);
  const likely = g.node("Where", [g.node("Greater", [ids, g.scalar(0)]), positions, g.int([0], [])]);
  const last = g.node("ReduceMax", [likely, g.int([1])], { attributes: { keepdims: 1 } });
  return g.node("Add", [g.node("Mul", [block, g.int([WIDTH], [])]), g.node("Min", [within, last])]);
}

function padded(g: GraphBuilder, values: string, by: number): string {
  return by === 0 ? values : g.node("Pad", [values, g.int([0, 0, 0, by])]);
}

function cumulate(g: GraphBuilder, values: string): string {
  return g.node("CumSum", [values, g.int([1], [])]);
}

/** How many of a row are true: int64 [B, 1]. */
function count(g: GraphBuilder, flags: string): string {
  return g.node(
    "ReduceSum",
    [g.node("Cast", [flags], { attributes: { to: elementType.int64 } }), g.int([1])],
    {
      attributes: { keepdims: 1 },
    },
  );
}
