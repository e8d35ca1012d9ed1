/** Quantised numbers as they are read: a group of 32 numbers is scale·q + minimum. */
export interface Unpacked {
  readonly q: Uint8Array | Int8Array;
  /** One for every group. */
  readonly scales: Float32Array;
  readonly minima: Float32Array;
}

/** How numbers lie in a GGUF file: blocks of `numbers` in `bytes`. */
interface Layout {
  readonly numbers: number;
  readonly bytes: number;
}

/** One number after the other, as floating point. */
export interface FloatFormat extends Layout {
  readonly read: (raw: DataView, at: number) => number;
}

/** Groups of 32 small integers. */
export interface QuantisedFormat extends Layout {
  /** Whether the integers are signed and minima zero. */
  readonly signed: boolean;
  /** Takes the block at byte `at` apart, for numbers from index `to` on. */
  readonly unpack: (raw: DataView, at: number, out: Unpacked, to: number) => void;
}

/** Numbers of a group. */
export const GROUP = 32;

const half = (raw: DataView, at: number) => raw.getFloat16(at, true);

/** Lower halves of 16 bytes are numbers 0 to 15, upper halves 16 to 31. */
function nibbles(raw: DataView, at: number, { q }: Unpacked, to: number, zero: number): void {
  for (let i = 0; i < 16; i++) {
    const byte = raw.getUint8(at + i);
    q[to + i] = (byte & 15) - zero;
    q[to + 16 + i] = (byte >> 4) - zero;
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
export const blockFormats: Readonly<Record<number, FloatFormat | QuantisedFormat>> = {
  /** F32 */
  0: { numbers: 1, bytes: 4, read: (raw, at) => raw.getFloat32(at, true) },
  /** F16 */
  1: { numbers: 1, bytes: 2, read: half },
  /** Q4_0: scale·(nibble − 8) */
  2: {
    ...{ numbers: 32, bytes: 18, signed: true },
    unpack(raw, at, out, to) {
      out.scales[to / GROUP] = half(raw, at);
      nibbles(raw, at + 2, out, to, 8);
    },
  },
  /** Q4_1: scale·nibble + minimum */
  3: {
    ...{ numbers: 32, bytes: 20, signed: false },
    unpack(raw, at, out, to) {
      out.scales[to / GROUP] = half(raw, at);
      out.minima[to / GROUP] = half(raw, at + 2);
      nibbles(raw, at + 4, out, to, 0);
    },
  },
  /** Q8_0: scale·signed byte */
  8: {
    ...{ numbers: 32, bytes: 34, signed: true },
    unpack(raw, at, out, to) {
      out.scales[to / GROUP] = half(raw, at);
      for (let i = 0; i < GROUP; i++) out.q[to + i] = raw.getInt8(at + 2 + i);
    },
  },
  /** Q4_K: 8 groups of 32, each with its own 6-bit scale and minimum. */
  12: {
    ...{ numbers: 256, bytes: 144, signed: false },
    unpack(raw, at, out, to) {
      const [scale, minimum] = [half(raw, at), half(raw, at + 2)];
      for (let group = 0; group < 8; group++) {
        const [s, m] = packedScale(raw, at + 4, group);
        const place = to / GROUP + group;
        out.scales[place] = scale * s;
        out.minima[place] = -minimum * m;
        const from = at + 16 + GROUP * (group >> 1);
        for (let i = 0; i < GROUP; i++) {
          const byte = raw.getUint8(from + i);
          out.q[GROUP * place + i] = group % 2 === 0 ? byte & 15 : byte >> 4;
        }
      }
    },
  },
};
