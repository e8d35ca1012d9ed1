import { Effect } from "effect";
import { FileError } from "../errors.ts";
import { fileReason } from "./file_reason.ts";

/**
 * Writes a file so that a reader, or the next run after a crash, finds the old
 * content or the new one and nothing between: a temporary name in the same
 * folder, synced, then renamed. A write that fails leaves no temporary file.
 */
export function writeFileAtomic(
  path: string,
  pieces: readonly Uint8Array[],
): Effect.Effect<void, FileError> {
  const temporary = `${path}.tmp`;
  const write = async () => {
    {
      using file = await Deno.open(temporary, { write: true, create: true, truncate: true });
      for (const piece of pieces) await writeAll(file, piece);
      await file.sync();
    }
    await Deno.rename(temporary, path);
  };
  return Effect.tryPromise({
    try: () =>
      write().catch((error) => {
        removeQuietly(temporary);
        throw error;
      }),
    catch: (cause) => new FileError({ path, reason: `cannot write: ${fileReason(cause)}` }),
  });
}

/** Removes a file that a failed write leaves; that this fails too must not hide the first error. */
export function removeQuietly(path: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // The failure that led here is reported instead.
  }
}

async function writeAll(file: Deno.FsFile, piece: Uint8Array): Promise<void> {
  for (let done = 0; done < piece.length;) done += await file.write(piece.subarray(done));
}
