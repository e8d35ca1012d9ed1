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

/** ConfigError unless `path`, which key `key` names, is a folder or nothing is there yet. */
export function requireFolder(path: string, key: string): Effect.Effect<void, ConfigError> {
  return tryFile(path, () => {
    try {
      return Deno.statSync(path).isDirectory;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return true;
      throw error;
    }
  }).pipe(
    Effect.mapError(named(key)),
    Effect.filterOrFail((isFolder) => isFolder, () => fault(key, `${path} is no folder`)),
    Effect.asVoid,
  );
}

const named = (key: string) => ({ path, reason }: FileError) =>
  fault(key, `${path} cannot be a folder to write to: ${reason}`);

function fault(key: string, message: string): ConfigError {
  return new ConfigError({ source: "files", faults: [{ path: key, message }] });
}
