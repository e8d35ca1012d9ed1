import type { Emitter } from "../emitter.ts";
import { MICROSOFT } from "../graph.ts";
import type { Operator } from "../operator.ts";

/** Tables cos and sin [time, headDim/2] of the rotation angles. */
export interface RotaryAttributes {
  readonly cos: string;
  readonly sin: string;
  readonly heads: number;
  readonly headDim: number;
}

/**
 * Rotary position embedding of x [batch, time, heads·headDim] in the Hugging Face
 * convention: within a head, components i and i + headDim/2 are rotated by the
 * angle of frequency i (Su et al. 2021). A rotation's transpose is the rotation
 * by the opposite angle: ∂x = rotary(∂y; cos, −sin).
 */
export const rotary: Operator<RotaryAttributes> = {
  name: "rotary",
  forward(emit, [x], attributes) {
    return { output: rotate(emit, x.name, attributes), shape: x.shape };
  },
  gradient(emit, { attributes }, grad) {
    return [rotate(emit, grad, { ...attributes, sin: emit.neg(attributes.sin) })];
  },
};

function rotate(emit: Emitter, x: string, { cos, sin, heads, headDim }: RotaryAttributes): string {
  if (emit.type === "float32") {
    return emit.graph.node("RotaryEmbedding", [x, emit.graph.int([0]), cos, sin], { domain: MICROSOFT });
  }
  // The fused operator exists in float32 only.
  const split = emit.reshape(x, [0, 0, heads, headDim]);
  const a = emit.sliceLast(split, 0, headDim / 2);
  const b = emit.sliceLast(split, headDim / 2, headDim);
  const c = emit.unsqueeze(cos, 1);
  const s = emit.unsqueeze(sin, 1);
  const rotated = emit.concat([
    emit.sub(emit.mul(a, c), emit.mul(b, s)),
    emit.add(emit.mul(b, c), emit.mul(a, s)),
  ], -1);
  return emit.reshape(rotated, [0, 0, heads * headDim]);
}
