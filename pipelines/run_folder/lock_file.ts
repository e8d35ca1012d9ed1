import { Effect, type Scope } from "effect";
import { FileError } from "../../stages/errors.ts";
import { tryFile } from "./try_file.ts";

/**
 * Keeps other processes from writing `path` until the scope closes or this process dies,
 * by a lock on `<path>.lock`, whose folder exists. Fails with FileError if another has it.
 */
export function lockFile(path: string): Effect.Effect<void, FileError, Scope.Scope> {
  const lock = `${path}.lock`;
  const acquire = tryFile(lock, () => {
    const file = Deno.openSync(lock, { write: true, create: true });
    if (file.tryLockSync(true)) return file;
    file.close();
    throw new FileError({ path, reason: "another process is writing it" });
  });
  const release = (file: Deno.FsFile) =>
    Effect.sync(() => {
      // Removed while it is still held, so that nobody's lock is taken away.
      try {
        Deno.removeSync(lock);
      } catch (error) {
        // Windows removes no open file; an empty one does no harm.
        if (!(error instanceof Deno.errors.NotFound) && Deno.build.os !== "windows") throw error;
      }
      file.close();
    });
  return Effect.asVoid(Effect.acquireRelease(acquire, release));
}
