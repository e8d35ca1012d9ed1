import { Effect } from "effect";
import { ConfigError, type FileError } from "../../stages/errors.ts";
import { tryFile } from "./try_file.ts";

/**
 * Makes folder `path`, which key `key` names, and those above it. ConfigError where no
 * folder can be: below a file, on a read-only system, or where it is not allowed.
 */
export function makeFolder(path: string, key: string): Effect.Effect<void, ConfigError> {
  return tryFile(path, () => Deno.mkdirSync(path, { recursive: true })).pipe(Effect.mapError(named(key)));
}

const named = (key: string) => ({ path, reason }: FileError) =>
  new ConfigError({
    source: "files",
    faults: [{ path: key, message: `${path} cannot be a folder to write to: ${reason}` }],
  });
