import { Effect } from "effect";
import type { FileError } from "../../stages/errors.ts";
import { type Checkpoint, type CheckpointManifest, sha256 } from "./checkpoint.ts";
import { tryFile } from "./try_file.ts";
import { syncFolder, writeAtomic } from "./write_atomic.ts";

/** Where the run stands. */
export type CheckpointState = Pick<CheckpointManifest, "step" | "cursor" | "tokens" | "config">;

/**
 * Writes `checkpoints/step_N`: `write` fills a folder of a temporary name, every
 * file is synced and hashed into `manifest.json`, and only then the folder gets
 * its name. Until then nothing that was saved before is touched; on failure the
 * temporary folder is removed.
 */
export function writeCheckpoint(
  checkpoints: string,
  state: CheckpointState,
  write: (folder: string) => Effect.Effect<void, FileError>,
): Effect.Effect<Checkpoint, FileError> {
  const folder = `${checkpoints}/step_${state.step}`;
  const temporary = `${checkpoints}/.step_${state.step}.tmp`;
  return Effect.gen(function* () {
    yield* tryFile(temporary, () => {
      removeFolder(temporary);
      Deno.mkdirSync(temporary, { recursive: true });
    });
    yield* write(temporary);
    return yield* tryFile(folder, () => {
      const files = Object.fromEntries(
        [...Deno.readDirSync(temporary)].map(({ name }) => name).sort()
          .map((name) => [name, sealFile(`${temporary}/${name}`)]),
      );
      const manifest: CheckpointManifest = { format: 1, ...state, files };
      writeAtomic(`${temporary}/manifest.json`, JSON.stringify(manifest, null, 2) + "\n");
      removeCheckpoint(folder);
      Deno.renameSync(temporary, folder);
      syncFolder(checkpoints);
      return { folder, manifest };
    });
  }).pipe(Effect.onError(() => Effect.sync(() => quietly(() => removeFolder(temporary)))));
}

function sealFile(path: string): { bytes: number; sha256: string } {
  using file = Deno.openSync(path);
  file.syncSync();
  const content = Deno.readFileSync(path);
  return { bytes: content.length, sha256: sha256(content) };
}

/** Removes a checkpoint, if it is there: first its name, so that a crash half-way leaves none that looks torn. */
export function removeCheckpoint(folder: string): void {
  const doomed = folder.replace(/([^/]*)$/, ".$1.old");
  removeFolder(doomed);
  try {
    Deno.renameSync(folder, doomed);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return;
    throw error;
  }
  removeFolder(doomed);
}

/** Removes what interrupted writes and removals left behind. */
export function removeLeftovers(checkpoints: string): void {
  for (const { name } of Deno.readDirSync(checkpoints)) {
    if (/^\.step_\d+\.(tmp|old)$/.test(name)) removeFolder(`${checkpoints}/${name}`);
  }
}

function removeFolder(folder: string): void {
  try {
    Deno.removeSync(folder, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

/** Cleaning up after a failure must not hide it. */
function quietly(run: () => void): void {
  try {
    run();
  } catch {
    // The failure that led here is reported instead.
  }
}
