import { Effect } from "effect";
import { FileError } from "../../stages/errors.ts";

/** Runs synchronous file work on `path`; whatever it throws becomes a {@link FileError} that says what to do. */
export function tryFile<A>(path: string, run: () => A): Effect.Effect<A, FileError> {
  return Effect.try({
    try: run,
    catch: (error) => error instanceof FileError ? error : new FileError({ path, reason: reasonOf(error) }),
  });
}

function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  if (code === "ENOSPC" || code === "EDQUOT") return "the disk is full; free some space and try again";
  if (code === "EROFS") return "the file system is read-only";
  if (error instanceof Deno.errors.NotFound) return "does not exist";
  if (error instanceof Deno.errors.PermissionDenied) return "permission denied by the file system";
  if (error instanceof Deno.errors.NotCapable) return `not allowed by Deno's permissions (${message})`;
  return message ?? String(error);
}
