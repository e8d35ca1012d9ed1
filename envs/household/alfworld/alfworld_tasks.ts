import { FileError } from "../../../stages/errors.ts";
import type { Split, Task, TaskSource } from "../../env.ts";
import { parseGameFile } from "../../text_game/game_file.ts";
import { type GameArchive, gamePath } from "./game_archive.ts";
import { openArchive } from "./open_archive.ts";

/** Which of ALFWorld's games to play. */
export interface AlfworldTaskOptions {
  /** Folder or zip file. */
  readonly path: string;
  /** Turn limit. */
  readonly maxTurns: number;
  /** Task types by weight; one of weight 0, or not named, is left out. All by default. */
  readonly kinds?: Readonly<Record<string, number>>;
  /** Largest share of a split's games that may be broken. */
  readonly badRows: number;
}

/** ALFWorld's splits by ours: the R³L paper tests on the seen rooms. */
const official: Readonly<Record<Split, string>> = {
  train: "train",
  valid: "valid_seen",
  test: "valid_unseen",
};

/** Faults that an error lists. */
const listed = 5;

/**
 * ALFWorld's games by split, ascending by path, as its own loader chooses them: folders
 * with `movable` or `Sliced` in their names and games that are not marked solvable are
 * left out. With all of release 2.1.3 they are 3553, 140 and 134.
 *
 * @throws FileError that names broken games and fields; `warn` is told of tolerated ones
 */
export function alfworldTasks(options: AlfworldTaskOptions, warn: (message: string) => void): TaskSource {
  const archive = openArchive(options.path);
  const tasks: Record<Split, readonly Task[]> = { train: [], valid: [], test: [] };
  for (const split of ["train", "valid", "test"] as const) {
    tasks[split] = tasksOf(archive, split, options, warn);
  }
  if (Object.values(tasks).every((some) => some.length === 0)) {
    throw new FileError({ path: options.path, reason: "no game of the chosen types can be played" });
  }
  return {
    size: (split) => tasks[split].length,
    task(split, index) {
      const task = tasks[split][index];
      if (task !== undefined) return task;
      throw new RangeError(`alfworld: ${official[split]} has ${tasks[split].length} games, no game ${index}`);
    },
  };
}

function tasksOf(
  archive: GameArchive,
  split: Split,
  { path, maxTurns, kinds, badRows }: AlfworldTaskOptions,
  warn: (message: string) => void,
): readonly Task[] {
  const chosen = archive.games.filter((game) => {
    const [, folder, name] = gamePath.exec(game)!;
    if (folder !== official[split] || /movable|Sliced/.test(game)) return false;
    return kinds === undefined || (kinds[kindOf(name)] ?? 0) > 0;
  });
  const playable: string[] = [];
  const faults: string[] = [];
  archive.readEach(chosen, (game, text) => {
    const fault = text instanceof FileError ? text.reason : faultOf(text, game);
    if (fault === null) playable.push(game);
    else if (fault !== unsolvable) faults.push(`${game}: ${fault}`);
  });
  if (faults.length > 0) {
    const more = faults.length > listed ? [`and ${faults.length - listed} more`] : [];
    const list = [...faults.slice(0, listed), ...more].join("; ");
    const share = `${faults.length} of ${chosen.length} games of ${official[split]} are broken`;
    if (faults.length > badRows * chosen.length) {
      throw new FileError({ path, reason: `${share}, at most a share of ${badRows} may be: ${list}` });
    }
    warn(`${path}: ${share} and left out: ${list}`);
  }
  return playable.map((game): Task => {
    const [, folder, name, trial] = gamePath.exec(game)!;
    return {
      id: `alfworld/${folder}/${name}/${trial}`,
      kind: kindOf(name),
      payload: { game: "archive", path, entry: game, maxTurns },
    };
  });
}

const unsolvable = Symbol("unsolvable");

/** What is wrong with a game, null if nothing is. */
function faultOf(text: string, game: string): string | typeof unsolvable | null {
  try {
    const json = JSON.parse(text);
    if (typeof json === "object" && json !== null && json.solvable !== true && "pddl_problem" in json) {
      return unsolvable;
    }
    parseGameFile(json, game);
    return null;
  } catch (error) {
    return error instanceof FileError ? error.reason : `no JSON: ${(error as Error).message}`;
  }
}

/** The first part of a game's folder: `pick_heat_then_place_in_recep`. */
function kindOf(name: string): string {
  return name.split("-")[0];
}
