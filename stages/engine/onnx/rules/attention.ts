import type { Operator } from "../operator.ts";
import { requireSameDim } from "./_shapes.ts";

/** `mask` [queries, keys] is added to the scaled scores: 0, or a large negative number. */
export interface AttentionAttributes {
  readonly mask: string;
  readonly scale: number;
}

/**
 * o = P·v, P = softmax(scale·q·kᵀ + mask) over keys, for q [batch, kvHeads,
 * queries, headDim] and k, v [batch, kvHeads, keys, headDim] (Vaswani et al.
 * 2017). In grouped-query attention the query heads of one key/value head are
 * stacked along `queries`. With δ = Σ ∂o∘o over headDim and
 * ∂S = P∘(∂o·vᵀ − δ): ∂q = scale·∂S·k, ∂k = scale·∂Sᵀ·q, ∂v = Pᵀ·∂o
 * (the form of Dao et al. 2022, which needs no reduction over keys).
 */
export const attention: Operator<AttentionAttributes> = {
  name: "attention",
  forward(emit, [q, k, v], { mask, scale }) {
    requireSameDim("attention", "head sizes of queries and keys", q.shape[3], k.shape[3]);
    requireSameDim("attention", "numbers of keys and values", k.shape[2], v.shape[2]);
    const scores = emit.matMul(q.name, k.name, { transB: true, alpha: scale });
    const p = emit.softmax(emit.add(scores, mask));
    return { output: emit.matMul(p, v.name), shape: [...q.shape.slice(0, 3), v.shape[3]], saved: [p] };
  },
  gradient(emit, { inputs: [q, k, v], output, saved: [p], attributes: { scale } }, grad) {
    const delta = emit.sum(emit.mul(grad, output), [-1], true);
    const dS = emit.mul(p, emit.sub(emit.matMul(grad, v.name, { transB: true }), delta));
    return [
      emit.matMul(dS, k.name, { alpha: scale }),
      emit.matMul(dS, q.name, { transA: true, alpha: scale }),
      emit.matMul(p, grad, { transA: true }),
    ];
  },
};
