import { FileError } from "../../errors.ts";
import { Reader } from "./_reader.ts";

/** Where a tensor lies and how its numbers are stored. */
export interface GgufEntry {
  readonly name: string;
  /** In the order of Hugging Face files: [out, in]. */
  readonly shape: readonly number[];
  /** Number of its format; see `blockFormats`. */
  readonly type: number;
  /** Bytes after the start of the data. */
  readonly offset: number;
}

/** What stands before the data of a GGUF file. */
export interface GgufHeader {
  readonly metadata: ReadonlyMap<string, unknown>;
  readonly entries: readonly GgufEntry[];
  /** Byte at which the data begins. */
  readonly start: number;
}

/**
 * Decodes the header of a GGUF file, versions 2 and 3: key/value metadata and the
 * descriptions of the tensors. `bytes` may end where the data begins.
 *
 * @param path Where the bytes came from, for messages.
 * @throws {FileError} naming the file and the key or tensor at fault.
 */
export function decodeGgufHeader(bytes: Uint8Array, path: string): GgufHeader {
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
  return { metadata, entries, start };
}

function readEntry(reader: Reader, i: number): GgufEntry {
  const name = reader.string(`tensor ${i}`);
  const axes = reader.u32(name);
  if (axes > 4) reader.fail(name, `has ${axes} axes`);
  // The first axis of GGUF is the fastest.
  const shape = Array.from({ length: axes }, () => reader.count(name)).reverse();
  const type = reader.u32(name);
  return { name, shape, type, offset: reader.u64(name) };
}
