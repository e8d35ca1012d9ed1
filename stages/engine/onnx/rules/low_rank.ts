import type { Operator } from "../operator.ts";
import { requireSameDim } from "./_shapes.ts";

/**
 * y = scale·x·Aᵀ·Bᵀ with A [rank, in] and B [out, rank] (Hu et al. 2021): with
 * h = x·Aᵀ and ∂h = scale·∂y·B, ∂B = scale·∂yᵀ·h, ∂A = ∂hᵀ·x, ∂x = ∂h·A.
 */
export const lowRank: Operator<{ readonly scale: number }> = {
  name: "lowRank",
  forward(emit, [x, a, b], { scale }) {
    requireSameDim("lowRank", "input features", x.shape[x.shape.length - 1], a.shape[1]);
    requireSameDim("lowRank", "ranks", a.shape[0], b.shape[1]);
    const h = emit.matMul(x.name, a.name, { transB: true });
    const output = emit.matMul(h, b.name, { transB: true, alpha: scale });
    return { output, shape: [...x.shape.slice(0, -1), b.shape[0]], saved: [h] };
  },
  gradient(emit, { inputs: [x, a, b], saved: [h], attributes: { scale } }, grad) {
    const rows = (name: string, features: number) =>
      x.shape.length === 2 ? name : emit.reshape(name, [-1, features]);
    const [rank, input] = a.shape as readonly number[];
    const [out] = b.shape as readonly number[];
    const dh = emit.matMul(grad, b.name, { alpha: scale });
    return [
      x.tracked ? emit.matMul(dh, a.name) : undefined,
      emit.matMul(rows(dh, rank), rows(x.name, input), { transA: true }),
      emit.matMul(rows(grad, out), rows(h, rank), { transA: true, alpha: scale }),
    ];
  },
};
