import type { Operator } from "../operator.ts";
import { requireSameDim } from "./_shapes.ts";

/**
 * y = x·Wᵀ with x [..., in] and W [out, in], the layout of Hugging Face files:
 * ∂x = ∂y·W, ∂W = ∂yᵀ·x summed over all leading axes.
 */
export const linear: Operator<void> = {
  name: "linear",
  forward(emit, [x, w]) {
    requireSameDim("linear", "input features", x.shape[x.shape.length - 1], w.shape[1]);
    const output = emit.matMul(x.name, w.name, { transB: true });
    return { output, shape: [...x.shape.slice(0, -1), w.shape[0]] };
  },
  gradient(emit, { inputs: [x, w] }, grad) {
    const rows = (name: string, features: number) =>
      x.shape.length === 2 ? name : emit.reshape(name, [-1, features]);
    const [out, input] = w.shape as readonly number[];
    return [
      x.tracked ? emit.matMul(grad, w.name) : undefined,
      w.tracked ? emit.matMul(rows(grad, out), rows(x.name, input), { transA: true }) : undefined,
    ];
  },
};
