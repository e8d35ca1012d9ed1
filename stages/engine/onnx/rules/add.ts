import type { Operator } from "../operator.ts";
import { requireSameShape } from "./_shapes.ts";

/** y = a + b of equal shapes: the gradient goes to both unchanged. */
export const add: Operator<void> = {
  name: "add",
  forward(emit, [a, b]) {
    requireSameShape("add", a, b);
    return { output: emit.add(a.name, b.name), shape: a.shape };
  },
  gradient: (_emit, _call, grad) => [grad, grad],
};
