import { Effect, type Scope } from "effect";
import { removeQuietly } from "../../stages/engine/write_file_atomic.ts";
import type { FileError } from "../../stages/errors.ts";
import { lockFile } from "./lock_file.ts";
import { tryFile } from "./try_file.ts";
import { folderOf, syncFolder, writeAll } from "./write_atomic.ts";

/** A file that is written line by line and appears whole. */
export interface WholeFile {
  /** Adds `value` as a line of JSON. */
  readonly append: (value: unknown) => Effect.Effect<void, FileError>;
  /** Gives the file its name; what had that name before is replaced. */
  readonly finish: Effect.Effect<void, FileError>;
}

/**
 * Begins a file of JSON lines at `path`, whose folder is made: lines go to
 * `<path>.tmp`, which is removed unless the scope closes after `finish`. Fails with
 * FileError if another process writes it.
 */
export function wholeFile(path: string): Effect.Effect<WholeFile, FileError, Scope.Scope> {
  return Effect.gen(function* () {
    const temporary = `${path}.tmp`;
    yield* tryFile(path, () => Deno.mkdirSync(folderOf(path), { recursive: true }));
    yield* lockFile(path);
    const open = tryFile(
      path,
      () => Deno.openSync(temporary, { write: true, create: true, truncate: true }),
    );
    let finished = false;
    const file = yield* Effect.acquireRelease(open, (file) =>
      Effect.sync(() => {
        file.close();
        if (!finished) removeQuietly(temporary);
      }));
    const encoder = new TextEncoder();
    return {
      append: (value) => tryFile(path, () => writeAll(file, encoder.encode(JSON.stringify(value) + "\n"))),
      finish: tryFile(path, () => {
        file.syncSync();
        Deno.renameSync(temporary, path);
        finished = true;
        syncFolder(folderOf(path));
      }),
    };
  });
}
