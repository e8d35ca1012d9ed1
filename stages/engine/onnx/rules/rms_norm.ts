import type { Emitter } from "../emitter.ts";
import type { Operator } from "../operator.ts";
import { requireSameDim } from "./_shapes.ts";

/**
 * y = w ∘ x·r with r = 1/√(mean(x²) + ε) over the last axis (Zhang & Sennrich
 * 2019). With x̂ = x·r and g = ∂y∘w: ∂x = r·(g − x̂·mean(g∘x̂)), ∂w = Σ ∂y∘x̂.
 */
export const rmsNorm: Operator<{ readonly eps: number }> = {
  name: "rmsNorm",
  forward(emit, [x, w], { eps }) {
    requireSameDim("rmsNorm", "features", x.shape[x.shape.length - 1], w.shape[0]);
    const [output, r] = normalise(emit, x.name, w.name, eps);
    return { output, shape: x.shape, ...(r !== undefined && { saved: [r] }) };
  },
  gradient(emit, { inputs: [x, w], saved, attributes: { eps } }, grad) {
    const r = saved[0] ?? scale(emit, x.name, eps);
    const normed = emit.mul(x.name, r);
    const weighted = emit.mul(grad, w.name);
    const mean = emit.mean(emit.mul(weighted, normed));
    const leading = x.shape.slice(0, -1).map((_, axis) => axis);
    return [
      emit.mul(r, emit.sub(weighted, emit.mul(normed, mean))),
      w.tracked ? emit.sum(emit.mul(grad, normed), leading) : undefined,
    ];
  },
};

function normalise(emit: Emitter, x: string, w: string, eps: number): readonly string[] {
  if (emit.type === "float32") {
    // One fused node; it exists in float32 only.
    return emit.graph.nodes("SimplifiedLayerNormalization", [x, w], {
      attributes: { axis: -1, epsilon: { float: eps } },
      outputCount: emit.portable ? 1 : 2,
    });
  }
  const r = scale(emit, x, eps);
  return [emit.mul(emit.mul(x, r), w), r];
}

/** 1/√(mean(x²) + ε) over the last axis, which becomes 1. */
function scale(emit: Emitter, x: string, eps: number): string {
  return emit.reciprocalSqrt(emit.add(emit.mean(emit.mul(x, x)), emit.scalar(eps)));
}
