import { Effect } from "effect";
import { createHash } from "node:crypto";
import type { RunConfig } from "../../stages/config/run_config.ts";
import { ConfigError, FileError } from "../../stages/errors.ts";
import { inputFiles } from "../run/input_files.ts";
import { tryFile } from "./try_file.ts";
import { writeAtomic } from "./write_atomic.ts";

/** SHA-256 of each file whose rows a run trains on, by its key. */
export type RunInputs = Readonly<Record<string, string>>;

/** Reads the files of a configuration. Fails with FileError for one that cannot be read. */
export function hashInputs(config: RunConfig): Effect.Effect<RunInputs, FileError> {
  return Effect.gen(function* () {
    const hashes: Record<string, string> = {};
    for (const [key, path] of inputFiles(config)) {
      hashes[key] = yield* Effect.tryPromise({
        try: () => hashFile(path),
        catch: (error) => new FileError({ path, reason: (error as Error).message }),
      });
    }
    return hashes;
  });
}

/**
 * Fails with ConfigError if a file has other content than when the run of this folder
 * began: the configuration is the same, but what it stands for is not. A folder from
 * before they were written down says nothing.
 */
export function requireInputs(folder: string, now: RunInputs): Effect.Effect<void, ConfigError | FileError> {
  return Effect.gen(function* () {
    const path = pathOf(folder);
    const before = yield* tryFile(path, () => readInputs(path));
    const faults = Object.entries(now)
      .filter(([key, hash]) => before !== undefined && before[key] !== hash)
      .map(([path]) => ({ path, message: "has other content than when the run began" }));
    if (faults.length === 0) return;
    const source =
      `${folder} holds a run on other data; choose another trainer.run_dir or bring the data back`;
    return yield* new ConfigError({ source, faults });
  });
}

/** Writes the hashes into a run folder, unless the run reads no files. */
export function writeInputs(folder: string, inputs: RunInputs): void {
  if (Object.keys(inputs).length > 0) writeAtomic(pathOf(folder), JSON.stringify(inputs, null, 2) + "\n");
}

const pathOf = (folder: string) => `${folder}/inputs.json`;

function readInputs(path: string): RunInputs | undefined {
  try {
    return JSON.parse(Deno.readTextFileSync(path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of (await Deno.open(path)).readable) hash.update(chunk);
  return hash.digest("hex");
}
