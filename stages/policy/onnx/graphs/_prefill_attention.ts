import type { LlamaConfig } from "../../../engine/llama_config.ts";
import { type GraphBuilder, MICROSOFT } from "../../../engine/onnx/graph.ts";

/** Names of the values of a cache, each [batch, kvHeads, length, headDim]. */
export interface PastCache {
  readonly keys: string;
  readonly values: string;
}

/**
 * Attention of the new tokens to past and new ones. Writes the graph outputs
 * `new_keys_l`, `new_values_l` [batch, kvHeads, n, headDim], and the joined cache
 * into `cache[layer]`.
 */
export function prefillAttention(
  g: GraphBuilder,
  config: LlamaConfig,
  layer: number,
  mask: string,
  cache: PastCache[],
): (q: string, k: string, v: string) => string {
  const { heads, kvHeads, headDim } = config;
  const group = heads / kvHeads;
  const turn = (x: string, shape: readonly number[], perm: readonly number[], outputs?: readonly string[]) =>
    g.node("Transpose", [g.node("Reshape", [x, g.int(shape)])], {
      attributes: { perm },
      ...(outputs === undefined ? {} : { outputs }),
    });
  return (q, k, v) => {
    const join = (name: string, x: string) => {
      const own = turn(x, [0, 0, kvHeads, headDim], [0, 2, 1, 3], [`new_${name}_${layer}`]);
      return g.node("Concat", [`past_${name}_${layer}`, own], { attributes: { axis: 2 } });
    };
    const keys = join("keys", k);
    const values = join("values", v);
    cache[layer] = { keys, values };
    // The queries that share a key head stand side by side: [batch, kvHeads, group·n, headDim].
    const queries = g.node("Reshape", [
      turn(q, [0, 0, kvHeads, group, headDim], [0, 2, 3, 1, 4]),
      g.int([0, 0, -1, headDim]),
    ]);
    const scores = g.node("Add", [
      g.node("FusedMatMul", [queries, keys], { domain: MICROSOFT, attributes: { transB: 1 } }),
      mask,
    ]);
    const attended = g.node("MatMul", [g.node("Softmax", [scores], { attributes: { axis: -1 } }), values]);
    const apart = turn(attended, [0, 0, group, -1, headDim], [0, 3, 1, 2, 4]);
    return g.node("Reshape", [apart, g.int([0, 0, heads * headDim])]);
  };
}

/** The input `mask` plus -1e9 where a new slot would see a later one: [batch, 1, group·n, P + n]. */
export function causalMask(g: GraphBuilder, { heads, kvHeads }: LlamaConfig): string {
  const size = (value: string, axis: number) =>
    g.node("Slice", [g.node("Shape", [value]), g.int([axis]), g.int([axis + 1])]);
  const n = size("ids", 1);
  const total = size("mask", 3);
  const shape = g.node("Concat", [n, total], { attributes: { axis: 0 } });
  // New slot i is column P + i; what lies right of that diagonal is later.
  const diagonal = g.node("Squeeze", [g.node("Add", [g.node("Sub", [total, n]), g.int([1])])]);
  const later = g.node("Trilu", [g.node("Expand", [g.scalar(-1e9), shape]), diagonal], {
    attributes: { upper: 1 },
  });
  const mask = g.node("Add", ["mask", later]);
  const group = heads / kvHeads;
  return group === 1 ? mask : g.node("Concat", Array(group).fill(mask), { attributes: { axis: 2 } });
}
