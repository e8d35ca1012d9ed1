/** How a tensor's numbers are stored, block by block. */
export interface BlockFormat {
  /** Numbers in a block. */
  readonly numbers: number;
  readonly bytes: number;
  /** Decodes the block at byte `at` into `out` from index `to` on. */
  readonly decode: (raw: DataView, at: number, out: Float32Array, to: number) => void;
}

const half = (raw: DataView, at: number) => raw.getFloat16(at, true);

/** Lower halves of 16 bytes are numbers 0 to 15, upper halves 16 to 31: (nibble)·scale + shift. */
function nibbles(
  raw: DataView,
  at: number,
  out: Float32Array,
  to: number,
  scale: number,
  shift: number,
): void {
  for (let i = 0; i < 16; i++) {
    const byte = raw.getUint8(at + i);
    out[to + i] = (byte & 15) * scale + shift;
    out[to + 16 + i] = (byte >> 4) * scale + shift;
  }
}

/** Scale and minimum (6 bits each) of one of a Q4_K block's 8 groups, packed in 12 bytes. */
function packedScale(raw: DataView, at: number, group: number): readonly [number, number] {
  const byte = (i: number) => raw.getUint8(at + i);
  if (group < 4) return [byte(group) & 63, byte(group + 4) & 63];
  const high = byte(group + 4);
  return [(high & 15) | (byte(group - 4) >> 6 << 4), (high >> 4) | (byte(group) >> 6 << 4)];
}

/** The formats that are read, by their number in GGUF files (the layouts of the ggml library). */
export const blockFormats: Readonly<Record<number, BlockFormat>> = {
  /** F32 */
  0: { numbers: 1, bytes: 4, decode: (raw, at, out, to) => void (out[to] = raw.getFloat32(at, true)) },
  /** F16 */
  1: { numbers: 1, bytes: 2, decode: (raw, at, out, to) => void (out[to] = half(raw, at)) },
  /** Q4_0: scale·(nibble − 8) */
  2: {
    numbers: 32,
    bytes: 18,
    decode(raw, at, out, to) {
      const scale = half(raw, at);
      nibbles(raw, at + 2, out, to, scale, -8 * scale);
    },
  },
  /** Q4_1: scale·nibble + minimum */
  3: {
    numbers: 32,
    bytes: 20,
    decode: (raw, at, out, to) => nibbles(raw, at + 4, out, to, half(raw, at), half(raw, at + 2)),
  },
  /** Q8_0: scale·signed byte */
  8: {
    numbers: 32,
    bytes: 34,
    decode(raw, at, out, to) {
      const scale = half(raw, at);
      for (let i = 0; i < 32; i++) out[to + i] = scale * raw.getInt8(at + 2 + i);
    },
  },
  /** Q4_K: 8 groups of 32, each with its own 6-bit scale and minimum. */
  12: {
    numbers: 256,
    bytes: 144,
    decode(raw, at, out, to) {
      const [scale, minimum] = [half(raw, at), half(raw, at + 2)];
      for (let group = 0; group < 8; group++) {
        const [s, m] = packedScale(raw, at + 4, group);
        const from = at + 16 + 32 * (group >> 1);
        for (let i = 0; i < 32; i++) {
          const byte = raw.getUint8(from + i);
          const nibble = group % 2 === 0 ? byte & 15 : byte >> 4;
          out[to + 32 * group + i] = scale * s * nibble - minimum * m;
        }
      }
    },
  },
};
