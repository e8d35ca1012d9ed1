import { Effect } from "effect";
import { FileError } from "../../errors.ts";
import { decodeGgufHeader, type GgufHeader } from "./decode_gguf_header.ts";

/** Bytes that hold the header of nearly every file; vocabularies are a few megabytes. */
const FIRST = 2 ** 25;

/** Whether a policy's path names a GGUF file and not a folder. */
export function isGgufPath(path: string): boolean {
  return path.endsWith(".gguf");
}

/** Reads the header of a GGUF file without its tensors. Fails with a FileError that names file and key. */
export function readGgufHeader(path: string): Effect.Effect<GgufHeader, FileError> {
  return Effect.try({
    try: () => readGgufHeaderSync(path),
    catch: (cause) =>
      cause instanceof FileError ? cause : new FileError({ path, reason: (cause as Error).message }),
  });
}

/** As {@link readGgufHeader}. Throws FileError. */
export function readGgufHeaderSync(path: string): GgufHeader {
  const first = readStart(path, FIRST);
  try {
    return decodeGgufHeader(first, path);
  } catch (error) {
    if (first.length < FIRST) throw error;
    return decodeGgufHeader(readStart(path, Infinity), path);
  }
}

function readStart(path: string, most: number): Uint8Array {
  try {
    using file = Deno.openSync(path);
    const bytes = new Uint8Array(Math.min(most, file.statSync().size));
    let at = 0;
    for (let read: number | null = 1; read !== null && at < bytes.length; at += read ?? 0) {
      read = file.readSync(bytes.subarray(at));
    }
    return bytes.subarray(0, at);
  } catch (error) {
    const missing = error instanceof Deno.errors.NotFound;
    const reason = missing ? "is missing" : `cannot be read: ${(error as Error).message}`;
    throw new FileError({ path, reason });
  }
}
