import type { StoredTensor, Tensor } from "./weights.ts";

/** Numbers of a block where the rows' length allows it; else a row is one block. */
const BLOCK = 32;

/** Numbers of a block in rows of this length. */
export function blockSize(width: number): number {
  return width % BLOCK === 0 ? BLOCK : width;
}

/**
 * A matrix in 8 bits, the nearest there is in each block: `int8` is scale·q with
 * scale = max|w| / 127, `uint8` is scale·q + minimum with scale = (max − min) / 255.
 * The error of a number is at most half its block's scale. Throws RangeError for a
 * number that is not finite.
 */
export function quantize({ shape, data }: Tensor, type: "int8" | "uint8"): StoredTensor {
  const size = blockSize(shape[shape.length - 1]);
  const count = data.length / size;
  const scales = new Float32Array(count);
  const minima = new Float32Array(type === "uint8" ? count : 0);
  const held = type === "int8" ? new Int8Array(data.length) : new Uint8Array(data.length);
  for (let b = 0; b < count; b++) {
    const block = data.subarray(b * size, (b + 1) * size);
    let [least, most] = [Infinity, -Infinity];
    for (const x of block) {
      if (!Number.isFinite(x)) throw new RangeError(`holds ${x}, which ${type} cannot hold`);
      least = Math.min(least, x);
      most = Math.max(most, x);
    }
    const shift = type === "int8" ? 0 : least;
    scales[b] = type === "int8" ? Math.max(-least, most) / 127 : (most - least) / 255;
    if (type === "uint8") minima[b] = least;
    // Of equal numbers, or zeros, the minimum or zero says all.
    if (scales[b] === 0) continue;
    for (let i = 0; i < size; i++) held[b * size + i] = Math.round((block[i] - shift) / scales[b]);
  }
  return { shape, data: held, blocks: type === "int8" ? { scales } : { scales, minima } };
}
