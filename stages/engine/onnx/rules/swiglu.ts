import type { Operator } from "../operator.ts";
import { requireSameShape } from "./_shapes.ts";

/**
 * y = silu(g) ∘ u with silu(g) = g·σ(g) (Shazeer 2020). With s = σ(g) and
 * a = g·s: silu′ = s·(1 + g − a), so ∂g = ∂y∘u∘s∘(1 + g − a), ∂u = ∂y∘a.
 */
export const swiglu: Operator<void> = {
  name: "swiglu",
  forward(emit, [gate, up]) {
    requireSameShape("swiglu", gate, up);
    const s = emit.sigmoid(gate.name);
    const a = emit.mul(gate.name, s);
    return { output: emit.mul(a, up.name), shape: gate.shape, saved: [s, a] };
  },
  gradient(emit, { inputs: [gate, up], saved: [s, a] }, grad) {
    const slope = emit.mul(s, emit.add(emit.sub(gate.name, a), emit.scalar(1)));
    return [emit.mul(emit.mul(grad, up.name), slope), emit.mul(grad, a)];
  },
};
