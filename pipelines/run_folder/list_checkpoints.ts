import { type Checkpoint, readCheckpoint } from "./checkpoint.ts";

/** Steps of the checkpoints in a folder, whole or not, newest first. */
export function listCheckpoints(checkpoints: string): readonly number[] {
  try {
    return [...Deno.readDirSync(checkpoints)]
      .flatMap(({ name }) => /^step_(\d{1,15})$/.exec(name)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => b - a);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/** The newest whole checkpoint, and a warning for each newer one that is not. */
export function newestCheckpoint(
  checkpoints: string,
): { readonly checkpoint: Checkpoint | null; readonly warnings: readonly string[] } {
  const warnings: string[] = [];
  for (const step of listCheckpoints(checkpoints)) {
    const folder = `${checkpoints}/step_${step}`;
    const checkpoint = readCheckpoint(folder);
    if (typeof checkpoint !== "string") return { checkpoint, warnings };
    warnings.push(`${folder} is not whole (${checkpoint}); looking for the one before`);
  }
  return { checkpoint: null, warnings };
}
