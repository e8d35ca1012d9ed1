import { Effect, type Scope } from "effect";
import { FileError } from "../../stages/errors.ts";
import { tryFile } from "./try_file.ts";

/**
 * Keeps other processes from working in `folder`, which exists, until the scope closes or
 * this process dies. Fails with FileError if another does.
 */
export function lockFolder(folder: string): Effect.Effect<void, FileError, Scope.Scope> {
  const path = `${folder}/.lock`;
  const acquire = tryFile(path, () => {
    const file = Deno.openSync(path, { write: true, create: true });
    if (file.tryLockSync(true)) return file;
    file.close();
    throw new FileError({ path: folder, reason: "another process is using this folder" });
  });
  return Effect.asVoid(Effect.acquireRelease(acquire, (file) => Effect.sync(() => file.close())));
}
