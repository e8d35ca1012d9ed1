import { Effect } from "effect";
import { fileReason } from "../../stages/engine/file_reason.ts";
import { FileError } from "../../stages/errors.ts";

/** Runs synchronous file work on `path`; whatever it throws becomes a {@link FileError} that says what to do. */
export function tryFile<A>(path: string, run: () => A): Effect.Effect<A, FileError> {
  return Effect.try({
    try: run,
    catch: (error) => error instanceof FileError ? error : new FileError({ path, reason: fileReason(error) }),
  });
}
