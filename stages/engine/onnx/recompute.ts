import { backward } from "./backward.ts";
import type { Operator, Variable } from "./operator.ts";
import { ALWAYS } from "./stored_product.ts";
import { Tape } from "./tape.ts";

/** A part of the model: computes one value of `x` and of the parameters that it closes over. */
export interface RecomputeAttributes {
  readonly body: (tape: Tape, x: Variable) => Variable;
}

/**
 * y = body(x) without keeping what the body computes between them: the backward
 * pass computes it again from x (Chen et al. 2016, "Training deep nets with sublinear
 * memory cost"). y has the shape of x. The further inputs are the parameters that the
 * body uses and whose gradients are wanted.
 *
 * The second computation reads x through a selection that also depends on ∂y: so it
 * can begin only when the backward pass has come to it, and no optimiser takes it for
 * the first one.
 */
export const recompute: Operator<RecomputeAttributes> = {
  name: "recompute",
  forward(emit, [x], { body }) {
    const { name, shape } = body(new Tape(emit), x);
    if (shape.join() !== x.shape.join()) {
      throw new RangeError(`Cannot recompute: the shape changes from [${x.shape}] to [${shape}]`);
    }
    return { output: name, shape };
  },
  gradient(emit, { inputs: [x, ...parameters], attributes: { body } }, grad) {
    const tape = new Tape(emit);
    const again = { ...x, name: emit.graph.node("Where", [ALWAYS, x.name, grad]) };
    const gradients = backward(tape, body(tape, again), grad);
    return [gradients.get(again.name), ...parameters.map(({ name }) => gradients.get(name))];
  },
};
