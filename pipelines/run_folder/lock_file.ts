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
    for (;;) {
      const file = Deno.openSync(lock, { write: true, create: true });
      const locked = file.tryLockSync(true);
      // Whoever had the lock may have removed the file between the two calls: then it locks nothing.
      if (locked && isStill(lock, file)) return file;
      file.close();
      if (!locked) throw new FileError({ path, reason: "another process is writing it" });
    }
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

/** Whether `path` is the open file, and no other one or none. */
function isStill(path: string, file: Deno.FsFile): boolean {
  try {
    return Deno.statSync(path).ino === file.statSync().ino;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
