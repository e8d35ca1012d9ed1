import type { Operator } from "../operator.ts";

/** Axis i of the result is axis perm[i] of x; the gradient takes the inverse permutation. */
export const transpose: Operator<{ readonly perm: readonly number[] }> = {
  name: "transpose",
  forward(emit, [x], { perm }) {
    return { output: emit.transpose(x.name, perm), shape: perm.map((axis) => x.shape[axis]) };
  },
  gradient(emit, { attributes: { perm } }, grad) {
    return [emit.transpose(grad, perm.map((_, axis) => perm.indexOf(axis)))];
  },
};
