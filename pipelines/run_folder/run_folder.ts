import { stringify } from "@std/yaml";
import { Effect, type Scope } from "effect";
import type { RunConfig } from "../../stages/config/run_config.ts";
import type { ConfigError, FileError } from "../../stages/errors.ts";
import type { Metrics } from "../../stages/record.ts";
import { appendLine } from "./append_line.ts";
import type { AttemptRecord } from "./attempt_record.ts";
import { configHash } from "./config_differences.ts";
import { listCheckpoints } from "./list_checkpoints.ts";
import { lockFolder } from "./lock_folder.ts";
import { copyPolicyFiles } from "./policy_files.ts";
import { resumePoint } from "./resume_point.ts";
import { truncateJsonl } from "./truncate_jsonl.ts";
import { tryFile } from "./try_file.ts";
import { writeAtomic } from "./write_atomic.ts";
import { removeCheckpoint, removeLeftovers, writeCheckpoint } from "./write_checkpoint.ts";

/** A run's folder, opened for writing by {@link openRunFolder}. */
export interface RunFolder {
  readonly path: string;
  readonly reportPath: string;
  /** Where to continue: optimiser steps taken, index of the next task, checkpoint to load (null = `policy.path`). */
  readonly start: { readonly step: number; readonly cursor: number; readonly checkpoint: string | null };
  readonly warnings: readonly string[];
  /** Appends one line to metrics.jsonl. Everything about a step goes into its one line, before its checkpoint. */
  readonly writeMetrics: (step: number, metrics: Metrics) => Effect.Effect<void, FileError>;
  /** Appends one line to attempts.jsonl. */
  readonly writeAttempts: (record: AttemptRecord) => Effect.Effect<void, FileError>;
  /** Saves `checkpoints/step_N`, a model folder that `write` fills, and drops the oldest. */
  readonly saveCheckpoint: (
    state: { readonly step: number; readonly cursor: number },
    write: (folder: string) => Effect.Effect<void, FileError>,
  ) => Effect.Effect<void, FileError>;
  /** The newest checkpoint of this run, or null. */
  readonly lastCheckpoint: () => string | null;
}

/**
 * Opens (or continues) the run folder of a resolved configuration: checks that
 * it may be written to, removes what an interrupted run wrote after its last
 * whole checkpoint, and stores the configuration.
 */
export function openRunFolder(
  config: RunConfig,
): Effect.Effect<RunFolder, ConfigError | FileError, Scope.Scope> {
  return Effect.gen(function* () {
    const path = config.trainer.run_dir ?? "runs/run";
    // Once before the first file is written here, once when no other process can go on writing.
    yield* resumePoint(path, config);
    yield* tryFile(path, () => Deno.mkdirSync(path, { recursive: true }));
    yield* lockFolder(path);
    const { checkpoint, warnings } = yield* resumePoint(path, config);
    yield* tryFile(path, () => Deno.mkdirSync(`${path}/checkpoints`, { recursive: true }));
    const { step, cursor } = checkpoint?.manifest ?? { step: 0, cursor: 0 };
    yield* tryFile(path, () => {
      // Without a checkpoint the run starts over, its line for step 0 included.
      for (const name of ["metrics.jsonl", "attempts.jsonl"]) {
        truncateJsonl(`${path}/${name}`, checkpoint === null ? -1 : step);
      }
      removeLeftovers(`${path}/checkpoints`);
      writeAtomic(`${path}/config.yaml`, stringify(config));
    });
    return runFolder(path, config, { step, cursor, checkpoint: checkpoint?.folder ?? null }, warnings);
  });
}

function runFolder(
  path: string,
  config: RunConfig,
  start: RunFolder["start"],
  warnings: readonly string[],
): RunFolder {
  const checkpoints = `${path}/checkpoints`;
  const metricsPath = `${path}/metrics.jsonl`;
  const attemptsPath = `${path}/attempts.jsonl`;
  let last = start.checkpoint;
  return {
    path,
    start,
    warnings,
    reportPath: `${path}/report.html`,
    writeMetrics: (step, metrics) =>
      tryFile(metricsPath, () => appendLine(metricsPath, { step, ...inFixedOrder(metrics) })),
    writeAttempts: (record) => tryFile(attemptsPath, () => appendLine(attemptsPath, record)),
    saveCheckpoint: (state, write) =>
      Effect.gen(function* () {
        // The lines that resuming relies on must be on disk before the checkpoint counts.
        yield* tryFile(path, () => [metricsPath, attemptsPath].forEach(syncIfThere));
        // A run that started from a checkpoint elsewhere keeps that one's tokenizer.
        const policy = last ?? config.policy.path;
        const saved = yield* writeCheckpoint(
          checkpoints,
          { ...state, config: configHash(config) },
          (folder) =>
            Effect.andThen(
              write(folder),
              tryFile(folder, () => {
                copyPolicyFiles(policy, folder);
                Deno.writeTextFileSync(`${folder}/config.yaml`, stringify(config));
              }),
            ),
        );
        last = saved.folder;
        yield* tryFile(checkpoints, () => prune(checkpoints, config.trainer.keep_checkpoints));
      }),
    lastCheckpoint: () => last,
  };
}

/** Keys by code unit, so that equal metrics are equal lines. */
function inFixedOrder(metrics: Metrics): Metrics {
  return Object.fromEntries(Object.entries(metrics).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function prune(checkpoints: string, keep: number): void {
  for (const step of listCheckpoints(checkpoints).slice(keep)) {
    removeCheckpoint(`${checkpoints}/step_${step}`);
  }
}

function syncIfThere(path: string): void {
  try {
    using file = Deno.openSync(path);
    file.syncSync();
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
