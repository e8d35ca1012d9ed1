import { FileError } from "../errors.ts";
import type { Tensor } from "./weights.ts";
import { sizeOf } from "./size_of.ts";

/** What a safetensors file holds. */
export interface Safetensors<T = Tensor> {
  readonly tensors: Map<string, T>;
  readonly metadata: Readonly<Record<string, string>>;
}

const elementBytes = { F32: 4, F16: 2, BF16: 2 } as const;
type ElementName = keyof typeof elementBytes;

interface Entry {
  readonly name: string;
  readonly type: ElementName;
  readonly shape: readonly number[];
  readonly begin: number;
  readonly end: number;
}

/** Headers above this are refused, as in the reference implementation. */
const MAX_HEADER_BYTES = 100_000_000;

/** Bytes that are read part by part: of a file, so that a model is never held twice, or in memory. */
export interface ByteSource {
  readonly size: number;
  /** A copy of the bytes in [begin, end). */
  readonly read: (begin: number, end: number) => Uint8Array<ArrayBuffer>;
}

function sourceOf(bytes: Uint8Array): ByteSource {
  return { size: bytes.length, read: (begin, end) => new Uint8Array(bytes.subarray(begin, end)) };
}

/**
 * Decodes a safetensors file (8 bytes little-endian header length, a JSON header,
 * then the tensors' bytes). F32, F16 and BF16 are read, all to float32. Every
 * size and offset is checked before any tensor is read, one after the other.
 *
 * @param path Where the bytes came from, for messages.
 * @throws {FileError} naming the file and the tensor or header field at fault.
 */
export function decodeSafetensors(bytes: Uint8Array | ByteSource, path: string): Safetensors;
/** As above; `keep` makes of each tensor what is held of it. */
export function decodeSafetensors<T>(
  bytes: Uint8Array | ByteSource,
  path: string,
  keep: (name: string, tensor: Tensor) => T,
): Safetensors<T>;
export function decodeSafetensors(
  bytes: Uint8Array | ByteSource,
  path: string,
  keep: (name: string, tensor: Tensor) => unknown = (_, tensor) => tensor,
): Safetensors<unknown> {
  const source = bytes instanceof Uint8Array ? sourceOf(bytes) : bytes;
  const { header, offset } = readHeader(source, path);
  const metadata = readMetadata(header.__metadata__, path);
  const size = source.size - offset;
  const entries = Object.entries(header)
    .filter(([name]) => name !== "__metadata__")
    .map(([name, value]) => readEntry(name, value, size, path))
    .sort((a, b) => a.begin - b.begin || a.end - b.end);
  let covered = 0;
  for (const { name, begin, end } of entries) {
    if (begin < covered) {
      throw new FileError({ path, reason: `${name}: data_offsets overlap another tensor` });
    }
    if (begin > covered) throw new FileError({ path, reason: `${name}: data_offsets leave a gap before it` });
    covered = end;
  }
  if (covered !== size) {
    throw new FileError({ path, reason: `holds ${size} bytes of data, its header describes ${covered}` });
  }
  const tensors = new Map(
    entries.map((e) => [e.name, keep(e.name, { shape: e.shape, data: readData(source, offset, e) })]),
  );
  return { tensors, metadata };
}

function readHeader(
  { size, read }: ByteSource,
  path: string,
): { header: Record<string, unknown>; offset: number } {
  if (size < 8) {
    throw new FileError({ path, reason: `is truncated: ${size} bytes, a safetensors file has at least 8` });
  }
  const length = new DataView(read(0, 8).buffer).getBigUint64(0, true);
  if (length > BigInt(Math.min(MAX_HEADER_BYTES, size - 8))) {
    throw new FileError({
      path,
      reason: `is truncated or no safetensors file: header length ${length}, file length ${size}`,
    });
  }
  const offset = 8 + Number(length);
  let header: unknown;
  try {
    header = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(read(8, offset)));
  } catch (cause) {
    throw new FileError({ path, reason: `header is no JSON: ${(cause as Error).message}` });
  }
  if (typeof header !== "object" || header === null || Array.isArray(header)) {
    throw new FileError({ path, reason: "header is no JSON object" });
  }
  return { header: header as Record<string, unknown>, offset };
}

function readMetadata(value: unknown, path: string): Record<string, string> {
  if (value === undefined) return {};
  const valid = typeof value === "object" && value !== null && !Array.isArray(value) &&
    Object.values(value).every((v) => typeof v === "string");
  if (!valid) throw new FileError({ path, reason: "__metadata__ is no map of strings" });
  return value as Record<string, string>;
}

function readEntry(name: string, value: unknown, size: number, path: string): Entry {
  const fail = (reason: string): never => {
    throw new FileError({ path, reason: `${name}: ${reason}` });
  };
  const { dtype, shape, data_offsets } = (value ?? {}) as Record<string, unknown>;
  if (typeof dtype !== "string" || !Object.hasOwn(elementBytes, dtype)) {
    fail(`dtype is ${JSON.stringify(dtype)}, expected F32, F16 or BF16`);
  }
  const isCount = (x: unknown) => Number.isSafeInteger(x) && (x as number) >= 0;
  if (!Array.isArray(shape) || !shape.every(isCount)) fail(`shape is ${JSON.stringify(shape)}`);
  if (!Array.isArray(data_offsets) || data_offsets.length !== 2 || !data_offsets.every(isCount)) {
    fail(`data_offsets is ${JSON.stringify(data_offsets)}`);
  }
  const [begin, end] = data_offsets as [number, number];
  if (begin > end || end > size) {
    fail(`data_offsets [${begin}, ${end}] are outside the ${size} bytes of data`);
  }
  const expected = sizeOf(shape as number[]) * elementBytes[dtype as ElementName];
  if (end - begin !== expected) {
    fail(`${end - begin} bytes of data, shape [${shape}] of ${dtype} needs ${expected}`);
  }
  return { name, type: dtype as ElementName, shape: shape as number[], begin, end };
}

function readData({ read }: ByteSource, offset: number, { type, begin, end }: Entry): Float32Array {
  const raw = read(offset + begin, offset + end).buffer;
  if (type === "F32") return new Float32Array(raw);
  if (type === "F16") return Float32Array.from(new Float16Array(raw));
  // bfloat16 is the upper half of a float32.
  return new Float32Array(Uint32Array.from(new Uint16Array(raw), (x) => x << 16).buffer);
}
