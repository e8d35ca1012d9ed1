import { type GraphBuilder, MICROSOFT } from "../../../engine/onnx/graph.ts";
import { FOUR_BIT_BLOCK, type FourBitMatrix } from "./four_bits.ts";

/** A {@link FourBitMatrix} without its numbers: what a graph needs to know of it. */
export interface FourBitLayout {
  /** Name of the constant, from which those of its parts are made. */
  readonly path: string;
  readonly planes: 1 | 2;
  readonly minima: boolean;
  readonly shape: readonly number[];
}

const partsOf = (path: string) => ({
  data: path,
  scales: `${path}.scales`,
  zeroPoints: `${path}.zero_points`,
  minima: `${path}.minima`,
});

/** Declares the constants of a matrix. */
export function declareFourBits(g: GraphBuilder, { path, planes, minima, shape }: FourBitLayout): void {
  const [rows, width] = shape;
  const blocks = width / FOUR_BIT_BLOCK;
  const names = partsOf(path);
  g.external(names.data, "uint8", [rows, planes * blocks, FOUR_BIT_BLOCK / 2]);
  g.external(names.scales, "float32", [rows * planes * blocks]);
  g.external(names.zeroPoints, "uint8", [rows * Math.ceil(planes * blocks / 2)]);
  if (minima) g.external(names.minima, "float32", [rows, blocks]);
}

/** What a session is given for the constants of {@link declareFourBits}. */
export function fourBitData(path: string, matrix: FourBitMatrix): Record<string, ArrayBufferView> {
  const { data, scales, zeroPoints, minima } = matrix;
  const names = partsOf(path);
  return {
    [names.data]: data,
    [names.scales]: scales,
    [names.zeroPoints]: zeroPoints,
    ...(minima && { [names.minima]: minima }),
  };
}

/** x·Wᵀ [batch, length, rows] for x [batch, length, width]: products of the planes, and of each block's sum with its minimum. */
export function fourBitProduct(g: GraphBuilder, x: string, layout: FourBitLayout): string {
  const { path, planes, minima, shape: [rows, width] } = layout;
  const names = partsOf(path);
  const repeated = planes === 1 ? x : g.node("Concat", [x, x], { attributes: { axis: -1 } });
  const product = g.node("MatMulNBits", [repeated, names.data, names.scales, names.zeroPoints], {
    domain: MICROSOFT,
    // Level 1 computes in float32.
    attributes: { K: planes * width, N: rows, bits: 4, block_size: FOUR_BIT_BLOCK, accuracy_level: 1 },
  });
  if (!minima) return product;
  const blocks = g.node("Reshape", [x, g.int([0, 0, width / FOUR_BIT_BLOCK, FOUR_BIT_BLOCK])]);
  const sums = g.node("ReduceSum", [blocks, g.int([3])], { attributes: { keepdims: 0 } });
  const shifts = g.node("FusedMatMul", [sums, names.minima], {
    domain: MICROSOFT,
    attributes: { transB: 1 },
  });
  return g.node("Add", [product, shifts]);
}
