import type { Variable } from "./operator.ts";
import type { Tape } from "./tape.ts";

/**
 * Reverse-mode differentiation: appends the nodes of ∂J/∂v for every tracked value
 * `v` that `root` depends on, and returns their names by the name of `v`. J is
 * `root` itself, which is then a scalar, or what has the gradient `seed` = ∂J/∂root. The tape is in execution order, so its reverse is a reverse
 * topological order; a value used more than once gets the sum.
 */
export function backward(tape: Tape, root: Variable, seed?: string): Map<string, string> {
  if (seed === undefined && root.shape.length !== 0) {
    throw new RangeError(`Cannot differentiate shape [${root.shape}]: not a scalar`);
  }
  const { emit } = tape;
  const gradients = new Map([[root.name, seed ?? emit.scalar(1)]]);
  for (const { operator, call } of tape.entries.toReversed()) {
    const grad = gradients.get(call.output);
    if (grad === undefined) continue;
    operator.gradient(emit, call, grad).forEach((term, i) => {
      const { name, tracked } = call.inputs[i];
      if (!tracked || term === undefined) return;
      const sum = gradients.get(name);
      gradients.set(name, sum === undefined ? term : emit.add(sum, term));
    });
  }
  return gradients;
}
