import type { Dim } from "../graph.ts";
import type { Variable } from "../operator.ts";

/** Throws RangeError unless both have the same axes. */
export function requireSameShape(operator: string, a: Variable, b: Variable): void {
  if (a.shape.join() !== b.shape.join()) {
    throw new RangeError(`Cannot ${operator}: shapes [${a.shape}] and [${b.shape}] differ`);
  }
}

/** Throws RangeError unless the two axes are equal. */
export function requireSameDim(operator: string, what: string, a: Dim, b: Dim): void {
  if (a !== b) throw new RangeError(`Cannot ${operator}: ${what} are ${a} and ${b}`);
}
