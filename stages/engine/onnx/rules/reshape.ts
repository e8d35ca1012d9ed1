import type { Dim } from "../graph.ts";
import type { Operator } from "../operator.ts";

/** The same numbers under another shape; its gradient is reshaped back. */
export const reshape: Operator<{ readonly shape: readonly Dim[] }> = {
  name: "reshape",
  forward(emit, [x], { shape }) {
    const target = encodeShape(x.shape, shape);
    if (target === undefined) {
      throw new RangeError(`Cannot reshape [${x.shape}] to [${shape}]: more than one unknown axis`);
    }
    return { output: emit.reshape(x.name, target), shape };
  },
  gradient(emit, { inputs: [x], attributes: { shape } }, grad) {
    const target = encodeShape(shape, x.shape);
    return [target === undefined ? emit.reshapeLike(grad, x.name) : emit.reshape(grad, target)];
  },
};

/** ONNX's encoding: 0 = the axis at this place is kept, -1 = inferred (one at most). */
function encodeShape(from: readonly Dim[], to: readonly Dim[]): number[] | undefined {
  const target = to.map((dim, i) => typeof dim === "number" ? dim : dim === from[i] ? 0 : -1);
  return target.filter((d) => d === -1).length > 1 ? undefined : target;
}
