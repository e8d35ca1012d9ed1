import { FileError } from "../../stages/errors.ts";
import type { ReplayState } from "../../stages/replay/replay_buffer.ts";

const name = "replay.json";

/** Writes the replay buffer into a checkpoint's folder; an empty one leaves no file. */
export function writeReplay(folder: string, state: ReplayState | undefined): void {
  if (state === undefined || state.entries.length === 0) return;
  Deno.writeTextFileSync(`${folder}/${name}`, JSON.stringify(state));
}

/** The replay buffer of a checkpoint, if it holds one. Throws FileError for a file that holds something else. */
export function readReplay(folder: string): ReplayState | undefined {
  let text: string;
  try {
    text = Deno.readTextFileSync(`${folder}/${name}`);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw new FileError({ path: `${folder}/${name}`, reason: (error as Error).message });
  }
  const state = parsed(text);
  if (state !== undefined) return state;
  throw new FileError({ path: `${folder}/${name}`, reason: "holds no replay buffer" });
}

function parsed(text: string): ReplayState | undefined {
  try {
    const state = JSON.parse(text);
    return Array.isArray(state?.entries) && [state.replayed, state.until].every(Number.isInteger)
      ? state
      : undefined;
  } catch {
    return undefined;
  }
}
