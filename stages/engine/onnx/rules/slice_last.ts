import type { Operator } from "../operator.ts";

/** y = x[..., begin:end]; the gradient of what is left out is 0. */
export const sliceLast: Operator<{ readonly begin: number; readonly end: number }> = {
  name: "sliceLast",
  forward(emit, [x], { begin, end }) {
    const width = x.shape[x.shape.length - 1] as number;
    if (!(begin >= 0 && begin < end && end <= width)) {
      throw new RangeError(`Cannot sliceLast: [${begin}, ${end}) is not within ${width} features`);
    }
    return { output: emit.sliceLast(x.name, begin, end), shape: [...x.shape.slice(0, -1), end - begin] };
  },
  gradient(emit, { inputs: [x], attributes: { begin, end } }, grad) {
    const width = x.shape[x.shape.length - 1] as number;
    return [emit.padLast(grad, begin, width - end, x.shape.length)];
  },
};
