import { blockSize } from "../../../engine/quantize.ts";
import type { StoredTensor } from "../../../engine/weights.ts";

/**
 * A matrix of 8-bit blocks for ONNX Runtime's product with 4-bit blocks, the only one
 * with few bits that computes in float32 about as fast as a packed float32 product.
 *
 * A number of a block is q = 16·high + low, so that the matrix is two planes of 4
 * bits, one beside the other: [high | low]·[x, x] is the product with x, and nothing
 * is rounded. A matrix whose numbers have 4 bits, as a GGUF file's may, is one plane.
 */
export interface FourBitMatrix {
  readonly planes: 1 | 2;
  /** [rows, planes · blocks of a row, 16]: two numbers a byte, the first in the low bits. */
  readonly data: Uint8Array;
  /** [rows, planes · blocks of a row] */
  readonly scales: Float32Array;
  /** What is subtracted before the scale: [rows, ⌈planes · blocks of a row / 2⌉], two a byte. */
  readonly zeroPoints: Uint8Array;
  /** Of blocks that have minima, these: [rows, blocks of a row]. */
  readonly minima?: Float32Array;
}

/** Numbers of a block. */
export const FOUR_BIT_BLOCK = 32;

/** Whether rows of this length are in blocks of which a {@link FourBitMatrix} can be made. */
export function hasFourBitBlocks(width: number): boolean {
  return blockSize(width) === FOUR_BIT_BLOCK;
}

/** Most bytes of a {@link FourBitMatrix} of this shape: those of two planes. */
export function fourBitBytes([rows, width]: readonly number[], minima: boolean): number {
  const blocks = width / FOUR_BIT_BLOCK;
  return rows * (width + 2 * blocks * 4 + blocks + (minima ? 4 * blocks : 0));
}

/** The planes of a matrix that is held in 8 bits; see {@link hasFourBitBlocks}. */
export function fourBitMatrix({ shape: [rows, width], data, blocks }: StoredTensor): FourBitMatrix {
  const { scales: held, minima } = blocks!;
  // q counted from here is not negative.
  const fits = minima === undefined ? within(data, -8, 7) : within(data, 0, 15);
  const planes = fits ? 1 : 2;
  const shift = minima !== undefined ? 0 : fits ? 8 : 128;
  const perRow = width / FOUR_BIT_BLOCK;
  const bytes = new Uint8Array(rows * planes * width / 2);
  const scales = new Float32Array(rows * planes * perRow);
  for (let row = 0; row < rows; row++) {
    for (let plane = 0; plane < planes; plane++) {
      const high = plane < planes - 1;
      const bits = high ? 4 : 0;
      const to = (row * planes + plane) * width / 2;
      for (let i = 0; i < width; i += 2) {
        const from = row * width + i;
        const first = (data[from] + shift) >> bits & 15;
        bytes[to + i / 2] = first | ((data[from + 1] + shift) >> bits & 15) << 4;
      }
      const at = (row * planes + plane) * perRow;
      for (let b = 0; b < perRow; b++) scales[at + b] = held[row * perRow + b] * (high ? 16 : 1);
    }
  }
  // Of two planes, the high one alone carries the shift.
  const zeroes = Array.from(
    { length: planes * perRow },
    (_, b) => minima === undefined && b < perRow ? 8 : 0,
  );
  const zeroRow = Uint8Array.from(
    { length: Math.ceil(zeroes.length / 2) },
    (_, i) => zeroes[2 * i] | (zeroes[2 * i + 1] ?? 0) << 4,
  );
  const zeroPoints = new Uint8Array(rows * zeroRow.length);
  for (let row = 0; row < rows; row++) zeroPoints.set(zeroRow, row * zeroRow.length);
  return { planes, data: bytes, scales, zeroPoints, ...(minima && { minima }) };
}

function within(data: StoredTensor["data"], least: number, most: number): boolean {
  return data.every((x: number) => x >= least && x <= most);
}
