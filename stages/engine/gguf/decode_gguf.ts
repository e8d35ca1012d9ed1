import { FileError } from "../../errors.ts";
import { type StoredTensor, type Tensor, widen } from "../weights.ts";
import { decodeGgufHeader } from "./decode_gguf_header.ts";
import { blockFormats, type FloatFormat, GROUP, type QuantisedFormat } from "./gguf_blocks.ts";
import { sizeOf } from "../size_of.ts";

/** What a GGUF file holds; tensors have their axes in the order of Hugging Face files: [out, in]. */
export interface Gguf<T = Tensor> {
  readonly metadata: ReadonlyMap<string, unknown>;
  readonly tensors: Map<string, T>;
}

/**
 * Decodes a whole GGUF file: its header, then aligned data. F32, F16, Q8_0, Q4_0,
 * Q4_1 and Q4_K are read: quantised ones in 8 bits, with the numbers of their own
 * blocks, the others to float32; by default all are widened to float32. Every length and offset is checked
 * against the file before anything of its size is allocated; no name occurs twice,
 * and all tensors together are no longer than the file.
 *
 * @param path Where the bytes came from, for messages.
 * @throws {FileError} naming the file and the key or tensor at fault.
 */
export function decodeGguf(bytes: Uint8Array, path: string): Gguf;
/** As above; `keep` makes of each tensor what is held of it. */
export function decodeGguf<T>(
  bytes: Uint8Array,
  path: string,
  keep: (name: string, tensor: StoredTensor) => T,
): Gguf<T>;
export function decodeGguf(
  bytes: Uint8Array,
  path: string,
  keep: (name: string, tensor: StoredTensor) => unknown = (_, tensor) => widen(tensor),
): Gguf<unknown> {
  const { metadata, entries, start } = decodeGgufHeader(bytes, path);
  const tensors = new Map<string, unknown>();
  let total = start;
  for (const { name, shape, type, offset } of entries) {
    const fail = (reason: string): never => {
      throw new FileError({ path, reason: `${name} ${reason}` });
    };
    const format = blockFormats[type] ??
      fail(`has type ${type}, expected F32, F16, Q4_0, Q4_1, Q8_0 or Q4_K`);
    const size = sizeOf(shape);
    const width = shape[shape.length - 1] ?? 1;
    if (width % format.numbers !== 0) {
      fail(`has rows of ${width}, which blocks of ${format.numbers} do not fill`);
    }
    const end = start + offset + size / format.numbers * format.bytes;
    if (!(end <= bytes.length)) fail(`ends at byte ${end} of a file of ${bytes.length}`);
    if (tensors.has(name)) fail("is described twice");
    total += end - start - offset;
    // Tensors on top of each other would need far more memory than the file has bytes.
    if (total > bytes.length) fail("overlaps another tensor");
    const raw = new DataView(bytes.buffer, bytes.byteOffset + start + offset, end - start - offset);
    tensors.set(name, keep(name, readTensor(raw, format, shape, size)));
  }
  return { metadata, tensors };
}

function readTensor(
  raw: DataView,
  format: FloatFormat | QuantisedFormat,
  shape: readonly number[],
  size: number,
): StoredTensor {
  if ("read" in format) {
    const data = new Float32Array(size);
    for (let i = 0; i < size; i++) data[i] = format.read(raw, i * format.bytes);
    return { shape, data };
  }
  const { signed, numbers, bytes, unpack } = format;
  const q = signed ? new Int8Array(size) : new Uint8Array(size);
  const scales = new Float32Array(size / GROUP);
  const minima = new Float32Array(signed ? 0 : size / GROUP);
  for (let to = 0, at = 0; to < size; to += numbers, at += bytes) unpack(raw, at, { q, scales, minima }, to);
  return { shape, data: q, blocks: signed ? { scales } : { scales, minima } };
}
