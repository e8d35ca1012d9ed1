import { Effect, Result } from "effect";
import { loadConfig } from "../../stages/config/load_config.ts";
import type { RunConfig } from "../../stages/config/run_config.ts";
import { ConfigError, FileError } from "../../stages/errors.ts";
import { type Checkpoint, readCheckpoint } from "./checkpoint.ts";
import { configDifferences, configHash } from "./config_differences.ts";
import { listCheckpoints, newestCheckpoint } from "./list_checkpoints.ts";
import { folderNames } from "./folder_names.ts";
import { tryFile } from "./try_file.ts";

/** Where a run continues: `checkpoint` null = from the start. */
export interface ResumePoint {
  readonly checkpoint: Checkpoint | null;
  readonly warnings: readonly string[];
}

/**
 * Decides where a run continues. Fails with ConfigError when `trainer.run_dir`
 * holds something that `trainer.resume` does not allow to continue, with
 * FileError when a checkpoint that was asked for is missing, torn or foreign.
 */
export function resumePoint(
  folder: string,
  config: RunConfig,
): Effect.Effect<ResumePoint, ConfigError | FileError> {
  return Effect.gen(function* () {
    const { resume } = config.trainer;
    const names = yield* tryFile(folder, () => namesIn(folder));
    if (resume !== "auto" && resume !== "never") return yield* fromPath(folder, names, resume, config);
    if (names.length === 0) return { checkpoint: null, warnings: [] };
    if (resume === "never") {
      return yield* refuse(
        `${folder} already holds files; choose another trainer.run_dir, remove the folder, ` +
          "or continue its run with trainer.resume=auto",
      );
    }
    yield* sameConfig(folder, names, config);
    const { checkpoint, warnings } = yield* tryFile(folder, () => newestCheckpoint(`${folder}/checkpoints`));
    if (checkpoint !== null) return { checkpoint: yield* ofThisRun(checkpoint, config), warnings };
    return {
      checkpoint,
      warnings: [...warnings, `${folder} holds no whole checkpoint; starting from step 0`],
    };
  });
}

/** A checkpoint by path: of this folder's run (then it must be the newest), or a start for a new folder. */
function fromPath(folder: string, names: readonly string[], path: string, config: RunConfig) {
  return Effect.gen(function* () {
    const checkpoint = yield* tryFile(path, () => readCheckpoint(path.replace(/\/+$/, "")));
    if (typeof checkpoint === "string") {
      return yield* new FileError({ path, reason: `not a whole checkpoint: ${checkpoint}` });
    }
    if (names.length === 0) return { checkpoint, warnings: [] };
    const inside = yield* tryFile(
      path,
      () => Deno.realPathSync(path).startsWith(Deno.realPathSync(folder) + "/"),
    );
    if (!inside) {
      return yield* refuse(
        `${folder} already holds another run; choose an empty trainer.run_dir to start from ${path}`,
      );
    }
    const later = listCheckpoints(`${folder}/checkpoints`).filter((step) => step > checkpoint.manifest.step);
    if (later.length > 0) {
      return yield* refuse(
        `${folder} holds later checkpoints (steps ${later.join(", ")}); remove them, ` +
          `or choose an empty trainer.run_dir to start from ${path}`,
      );
    }
    yield* sameConfig(folder, names, config);
    return { checkpoint: yield* ofThisRun(checkpoint, config), warnings: [] };
  });
}

function sameConfig(folder: string, names: readonly string[], config: RunConfig) {
  return Effect.gen(function* () {
    if (!names.includes("config.yaml")) {
      return yield* refuse(
        `${folder} holds files but no config.yaml, so it is no run folder; choose another trainer.run_dir`,
      );
    }
    const source = `${folder}/config.yaml`;
    const yaml = yield* tryFile(source, () => Deno.readTextFileSync(source));
    const stored = loadConfig({ source, yaml });
    if (Result.isFailure(stored)) return yield* stored.failure;
    const differences = configDifferences(stored.success, config);
    if (differences.length === 0) return;
    return yield* new ConfigError({
      source: `${folder} holds a run with another configuration; choose another trainer.run_dir or undo`,
      faults: differences.map(({ path, before, now }) => ({
        path,
        message: `is ${JSON.stringify(before)} there and ${JSON.stringify(now)} now`,
      })),
    });
  });
}

/** A checkpoint from before a key was added has another hash; its own configuration then says whether it is the run's. */
function ofThisRun(checkpoint: Checkpoint, config: RunConfig) {
  return Effect.gen(function* () {
    const { folder, manifest } = checkpoint;
    if (manifest.config === configHash(config)) return checkpoint;
    const source = `${folder}/config.yaml`;
    const foreign = (what: string) =>
      new FileError({
        path: folder,
        reason: `was made by a run with another configuration than config.yaml of its run folder${what}`,
      });
    // What the manifest does not list was not checked against it.
    if (!Object.hasOwn(manifest.files, "config.yaml")) return yield* foreign("");
    const stored = loadConfig({ source, yaml: yield* tryFile(source, () => Deno.readTextFileSync(source)) });
    if (Result.isFailure(stored)) return yield* foreign(`: ${stored.failure.faults[0].path} is unknown`);
    const [difference] = configDifferences(stored.success, config);
    if (difference === undefined) return checkpoint;
    const { path, before, now } = difference;
    return yield* foreign(`: ${path} is ${JSON.stringify(before)} there and ${JSON.stringify(now)} now`);
  });
}

function refuse(message: string) {
  return Effect.fail(
    new ConfigError({ source: "run folder", faults: [{ path: "trainer.run_dir", message }] }),
  );
}

/** What a start leaves that stopped before it saved anything; a later start may do as it likes with it. */
const beginnings: readonly string[] = ["config.yaml", "inputs.json"].flatMap((name) => [name, `${name}.tmp`]);

/** The folder's files, none if all that it holds is a start that saved nothing. */
function namesIn(folder: string): readonly string[] {
  const names = folderNames(folder).filter((name) => name !== ".lock");
  const saved = names.filter((name) => {
    if (name === "checkpoints") {
      return folderNames(`${folder}/${name}`).some((step) => !step.endsWith(".tmp"));
    }
    return !beginnings.includes(name);
  });
  return saved.length === 0 ? [] : names;
}
