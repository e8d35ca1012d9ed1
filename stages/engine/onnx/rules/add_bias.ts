import type { Operator } from "../operator.ts";
import { requireSameDim } from "./_shapes.ts";

/** y = x + b along the last axis of x; ∂b = Σ ∂y over all leading axes. */
export const addBias: Operator<void> = {
  name: "addBias",
  forward(emit, [x, b]) {
    requireSameDim("addBias", "features", x.shape[x.shape.length - 1], b.shape[0]);
    return { output: emit.add(x.name, b.name), shape: x.shape };
  },
  gradient(emit, { inputs: [x, b] }, grad) {
    return [grad, b.tracked ? emit.sum(grad, x.shape.slice(0, -1).map((_, axis) => axis)) : undefined];
  },
};
