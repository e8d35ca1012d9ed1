import { Effect, Result, Schema } from "effect";
import { loadConfig } from "../../stages/config/load_config.ts";
import { ConfigError, FileError } from "../../stages/errors.ts";
import { sha256 } from "../run_folder/checkpoint.ts";
import { configDifferences, otherCommands } from "../run_folder/config_differences.ts";
import { tryFile } from "../run_folder/try_file.ts";
import type { RunSpec } from "./comparison.ts";
import { RunResult } from "./run_result.ts";

/** What may differ between a finished run and one that is asked for: neither its numbers nor its times follow from it. */
const freeKeys = [
  "trainer.run_dir",
  "trainer.resume",
  "trainer.save_steps",
  "trainer.keep_checkpoints",
  "log",
  ...otherCommands,
];

/**
 * The stored result of a run, or null if it has not finished. FileError if it is no
 * result, one of another run, or not of the config.yaml beside it (which `checkFolders`
 * compares with the run's own).
 */
export function finishedRun(spec: RunSpec): Effect.Effect<RunResult | null, FileError> {
  const folder = spec.config.trainer.run_dir ?? "";
  const path = `${folder}/result.json`;
  return tryFile(path, () => {
    const text = readIfThere(path);
    if (text === null) return null;
    const fail = (reason: string): never => {
      throw new FileError({ path, reason: `${reason}; remove its folder to run it again` });
    };
    const decoded = Schema.decodeUnknownResult(Schema.fromJsonString(RunResult))(text);
    if (Result.isFailure(decoded)) return fail("is no result of a run");
    const result = decoded.success;
    const other = (["phase", "start", "entry", "rate", "seed"] as const)
      .find((key) => result[key] !== spec[key]);
    if (other !== undefined) {
      return fail(`is of another run: ${other} is ${JSON.stringify(result[other])}, not ${spec[other]}`);
    }
    const yaml = readIfThere(`${folder}/config.yaml`);
    if (yaml === null) return fail("has no config.yaml beside it that tells its settings");
    if (result.config !== undefined && result.config !== sha256(yaml)) {
      return fail("was not made with the config.yaml beside it");
    }
    return result;
  });
}

/**
 * Refuses, before anything runs, runs whose folders were begun with another
 * configuration: ConfigError with every key that differs in the first of them.
 */
export function checkFolders(specs: readonly RunSpec[]): Effect.Effect<void, ConfigError | FileError> {
  return Effect.gen(function* () {
    const changed: { readonly folder: string; readonly faults: ConfigError["faults"] }[] = [];
    for (const { config } of specs) {
      const folder = config.trainer.run_dir ?? "";
      const source = `${folder}/config.yaml`;
      // A start that wrote no metrics and has no result has nothing to lose.
      const begun = yield* tryFile(
        folder,
        () => ["metrics.jsonl", "result.json"].some((name) => readIfThere(`${folder}/${name}`) !== null),
      );
      const yaml = yield* tryFile(source, () => readIfThere(source));
      if (!begun || yaml === null) continue;
      const stored = loadConfig({ source, yaml });
      if (Result.isFailure(stored)) return yield* stored.failure;
      const faults = configDifferences(stored.success, config, freeKeys).map(({ path, before, now }) => ({
        path,
        message: `is ${JSON.stringify(before)} there and ${JSON.stringify(now)} now`,
      }));
      if (faults.length > 0) changed.push({ folder, faults });
    }
    if (changed.length === 0) return;
    const [{ folder, faults }] = changed;
    const others = changed.length > 1 ? ` (and ${changed.length - 1} more)` : "";
    return yield* new ConfigError({
      source: `${folder}${others} was run with another configuration; ` +
        "choose another folder, undo the change, or remove the run's folder to run it again",
      faults,
    });
  });
}

function readIfThere(path: string): string | null {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}
