import { FileError } from "../errors.ts";
import { blockFormats } from "./gguf_blocks.ts";
import type { Tensor } from "./weights.ts";

/** What a GGUF file holds; tensors have their axes in the order of Hugging Face files: [out, in]. */
export interface Gguf {
  readonly metadata: ReadonlyMap<string, unknown>;
  readonly tensors: Map<string, Tensor>;
}

const MAX_COUNT = 1_000_000;

/**
 * Decodes a GGUF file, versions 2 and 3: a header, key/value metadata, tensor
 * descriptions and aligned data. F32, F16, Q8_0, Q4_0, Q4_1 and Q4_K are read, all
 * to float32. Every length and offset is checked against the file before anything
 * of its size is allocated.
 *
 * @param path Where the bytes came from, for messages.
 * @throws {FileError} naming the file and the key or tensor at fault.
 */
export function decodeGguf(bytes: Uint8Array, path: string): Gguf {
  const reader = new Reader(bytes, path);
  if (reader.text(4, "magic") !== "GGUF") throw new FileError({ path, reason: "is no GGUF file" });
  const version = reader.u32("version");
  if (version !== 2 && version !== 3) {
    throw new FileError({ path, reason: `is GGUF version ${version}, expected 2 or 3` });
  }
  const tensorCount = reader.count("tensor_count");
  const keyCount = reader.count("kv_count");
  const metadata = new Map<string, unknown>();
  for (let i = 0; i < keyCount; i++) {
    const key = reader.string(`key ${i}`);
    metadata.set(key, reader.value(reader.u32(key), key));
  }
  const entries = Array.from({ length: tensorCount }, (_, i) => readEntry(reader, i));
  const alignment = metadata.get("general.alignment") ?? 32;
  if (typeof alignment !== "number" || alignment < 1) reader.fail("general.alignment", `is ${alignment}`);
  const start = Math.ceil(reader.at / (alignment as number)) * (alignment as number);
  const tensors = new Map<string, Tensor>();
  for (const { name, shape, type, offset } of entries) {
    const format = blockFormats[type] ??
      reader.fail(name, `has type ${type}, expected F32, F16, Q4_0, Q4_1, Q8_0 or Q4_K`);
    const size = shape.reduce((a, b) => a * b, 1);
    const width = shape[shape.length - 1] ?? 1;
    if (width % format.numbers !== 0) {
      reader.fail(name, `has rows of ${width}, which blocks of ${format.numbers} do not fill`);
    }
    const end = start + offset + size / format.numbers * format.bytes;
    if (!(end <= bytes.length)) reader.fail(name, `ends at byte ${end} of a file of ${bytes.length}`);
    const data = new Float32Array(size);
    const raw = new DataView(bytes.buffer, bytes.byteOffset + start + offset, end - start - offset);
    for (let block = 0; block * format.numbers < size; block++) {
      format.decode(raw, block * format.bytes, data, block * format.numbers);
    }
    tensors.set(name, { shape, data });
  }
  return { metadata, tensors };
}

function readEntry(reader: Reader, i: number) {
  const name = reader.string(`tensor ${i}`);
  const axes = reader.u32(name);
  if (axes > 4) reader.fail(name, `has ${axes} axes`);
  // The first axis of GGUF is the fastest.
  const shape = Array.from({ length: axes }, () => reader.count(name)).reverse();
  const type = reader.u32(name);
  return { name, shape, type, offset: reader.u64(name) };
}

/** Reads little-endian numbers and texts in order; what reaches beyond the file is a FileError. */
class Reader {
  at = 0;
  readonly #view: DataView;

  constructor(readonly bytes: Uint8Array, readonly path: string) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  fail(field: string, reason: string): never {
    throw new FileError({ path: this.path, reason: `${field} ${reason}` });
  }

  text(length: number, field: string): string {
    return new TextDecoder().decode(this.bytes.subarray(this.#take(length, field), this.at));
  }

  string(field: string): string {
    return this.text(this.u64(field), field);
  }

  u32(field: string): number {
    return this.#view.getUint32(this.#take(4, field), true);
  }

  u64(field: string): number {
    return Number(this.#view.getBigUint64(this.#take(8, field), true));
  }

  /** A length that is no absurdity. */
  count(field: string): number {
    const value = this.u64(field);
    return value <= MAX_COUNT ? value : this.fail(field, `is ${value}, expected at most ${MAX_COUNT}`);
  }

  /** A metadata value of the given type number. */
  value(type: number, field: string): unknown {
    const view = this.#view;
    const take = (length: number) => this.#take(length, field);
    switch (type) {
      case 0:
        return view.getUint8(take(1));
      case 1:
        return view.getInt8(take(1));
      case 2:
        return view.getUint16(take(2), true);
      case 3:
        return view.getInt16(take(2), true);
      case 4:
        return view.getUint32(take(4), true);
      case 5:
        return view.getInt32(take(4), true);
      case 6:
        return view.getFloat32(take(4), true);
      case 7:
        return view.getUint8(take(1)) !== 0;
      case 8:
        return this.string(field);
      case 9: {
        const inner = this.u32(field);
        const length = this.count(field);
        if (inner === 9) this.fail(field, "is a list of lists");
        return Array.from({ length }, () => this.value(inner, field));
      }
      case 10:
        return this.u64(field);
      case 11:
        return Number(view.getBigInt64(take(8), true));
      case 12:
        return view.getFloat64(take(8), true);
      default:
        return this.fail(field, `has the unknown type ${type}`);
    }
  }

  #take(length: number, field: string): number {
    const from = this.at;
    if (!(length <= this.bytes.length - from)) {
      this.fail(field, `reaches beyond the end of the file (${this.bytes.length} bytes): it is truncated`);
    }
    this.at += length;
    return from;
  }
}
