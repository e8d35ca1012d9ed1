import { Effect } from "effect";
import { dirname } from "node:path";
import { ConfigError, type FileError } from "../../stages/errors.ts";
import { tryFile } from "./try_file.ts";

/**
 * Fails with ConfigError, before anything is loaded or written, unless `path`, given for
 * `key`, can become a file or folder: of that kind if it is there, else below a folder.
 */
export function requireOutput(
  key: string,
  path: string,
  kind: "file" | "folder",
): Effect.Effect<void, ConfigError> {
  return tryFile(path, () => outputFault(path, kind)).pipe(
    Effect.catch(({ reason }: FileError) => Effect.succeed(`${path} cannot be written: ${reason}`)),
    Effect.flatMap((message) =>
      message === undefined
        ? Effect.void
        : Effect.fail(new ConfigError({ source: "output", faults: [{ path: key, message }] }))
    ),
  );
}

function outputFault(path: string, kind: "file" | "folder"): string | undefined {
  if (kind === "file" && path.endsWith("/")) return `${path} names a folder, not a file`;
  const found = statOf(path);
  if (found !== undefined) {
    if (kind === "file" ? !found.isFile : !found.isDirectory) return `${path} is there and no ${kind}`;
    return tryWriting(kind === "file" ? dirname(path) : path);
  }
  let above = dirname(path);
  while (statOf(above) === undefined && dirname(above) !== above) above = dirname(above);
  if (!statOf(above)?.isDirectory) return `${path} cannot be made: ${above} is no folder`;
  return tryWriting(above);
}

/** Throws unless files can be made in `folder`. */
function tryWriting(folder: string): undefined {
  Deno.removeSync(Deno.makeTempFileSync({ dir: folder, prefix: ".pivot-" }));
}

function statOf(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return undefined;
    throw error;
  }
}
