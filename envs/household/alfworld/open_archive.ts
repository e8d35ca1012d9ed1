import { FileError } from "../../../stages/errors.ts";
import { folderArchive } from "./folder_archive.ts";
import type { GameArchive } from "./game_archive.ts";
import { zipArchive } from "./zip_archive.ts";

const opened = new Map<string, GameArchive>();

/**
 * Opens `$ALFWORLD_DATA`, a folder of one release in it, or the release's zip file
 * itself; kept open, so that the tasks of a run share one.
 *
 * @throws FileError
 */
export function openArchive(path: string): GameArchive {
  const known = opened.get(path);
  if (known !== undefined) return known;
  let isFolder: boolean;
  try {
    isFolder = Deno.statSync(path).isDirectory;
  } catch (error) {
    throw new FileError({ path, reason: `cannot read ALFWorld's games: ${(error as Error).message}` });
  }
  const archive = isFolder ? folderArchive(path) : zipArchive(path);
  if (opened.size >= 2) opened.clear();
  opened.set(path, archive);
  return archive;
}
