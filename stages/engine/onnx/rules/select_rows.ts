import type { Dim } from "../graph.ts";
import type { Operator } from "../operator.ts";

/** Which positions, and the way back. */
export interface SelectRowsAttributes {
  /** Name of an integer vector of flat positions in [0, batch·time); `count` is its length. */
  readonly index: string;
  readonly count: Dim;
  /** Name of integers [batch, time]: the place in `index` of each position, or `count` if it was not selected. */
  readonly inverse: string;
}

/**
 * y[i] = x[index[i]] over the flattened leading axes of x [batch, time, features].
 * Each position is selected at most once (again only where its gradient is zero),
 * so the gradient is a gather too: ∂x[p] = ∂y[inverse[p]], or 0. (ONNX Runtime's
 * ScatterND loses updates when several threads add into one row.)
 */
export const selectRows: Operator<SelectRowsAttributes> = {
  name: "selectRows",
  forward(emit, [x], { index, count }) {
    const features = x.shape[x.shape.length - 1] as number;
    return { output: emit.gather(emit.reshape(x.name, [-1, features]), index), shape: [count, features] };
  },
  gradient(emit, { inputs: [x], attributes: { inverse } }, grad) {
    const features = x.shape[x.shape.length - 1] as number;
    const zero = emit.graph.float(new Float64Array(features), [1, features], emit.type);
    return [emit.gather(emit.concat([grad, zero], 0), inverse)];
  },
};
