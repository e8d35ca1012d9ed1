import { Effect } from "effect";
import { FileError } from "../errors.ts";

/**
 * Writes a file so that a reader, or the next run after a crash, finds the old
 * content or the new one and nothing between: a temporary name in the same
 * folder, synced, then renamed.
 */
export function writeFileAtomic(
  path: string,
  pieces: readonly Uint8Array[],
): Effect.Effect<void, FileError> {
  return Effect.tryPromise({
    try: async () => {
      const temporary = `${path}.tmp`;
      using file = await Deno.open(temporary, { write: true, create: true, truncate: true });
      for (const piece of pieces) await writeAll(file, piece);
      await file.sync();
      await Deno.rename(temporary, path);
    },
    catch: (cause) => new FileError({ path, reason: `cannot write: ${(cause as Error).message}` }),
  });
}

async function writeAll(file: Deno.FsFile, piece: Uint8Array): Promise<void> {
  for (let done = 0; done < piece.length;) done += await file.write(piece.subarray(done));
}
