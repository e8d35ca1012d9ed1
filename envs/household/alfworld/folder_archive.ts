import { FileError } from "../../../stages/errors.ts";
import { type GameArchive, largestGame } from "./game_archive.ts";

const splits = ["train", "valid_seen", "valid_unseen"];

/** Where the splits may lie below `$ALFWORLD_DATA`: the releases 2.1.2 and 2.1.3 unpack into `json_2.1.1`. */
const releases = ["", "json_2.1.1/", "json_2.1.2/", "json_2.1.3/"];

/** The games below a folder. @throws FileError if no split is there */
export function folderArchive(root: string): GameArchive {
  const folder = root.replace(/\/*$/, "/");
  const base = releases.find((release) => splits.some((split) => isFolder(folder + release + split)));
  if (base === undefined) {
    const looked = releases.map((release) => `${release}train`).join(", ");
    throw new FileError({ path: root, reason: `none of ALFWorld's splits is here (looked for ${looked})` });
  }
  const games = splits.flatMap((split) =>
    namesIn(folder + base + split).flatMap((task) =>
      namesIn(`${folder}${base}${split}/${task}`).map((trial) =>
        `${base}${split}/${task}/${trial}/game.tw-pddl`
      )
    )
  ).filter((game) => isFile(folder + game)).sort();
  const read = (game: string): string => {
    const path = folder + game;
    try {
      const { size } = Deno.statSync(path);
      if (size > largestGame) throw new Error(`${size} bytes, at most ${largestGame} are read`);
      return Deno.readTextFileSync(path);
    } catch (error) {
      throw new FileError({ path, reason: `cannot read the game file: ${(error as Error).message}` });
    }
  };
  return {
    games,
    read,
    readEach(some, visit) {
      for (const game of some) {
        let text: string | FileError;
        try {
          text = read(game);
        } catch (error) {
          text = error as FileError;
        }
        visit(game, text);
      }
    },
  };
}

function namesIn(folder: string): readonly string[] {
  if (!isFolder(folder)) return [];
  return [...Deno.readDirSync(folder)].filter(({ isFile }) => !isFile).map(({ name }) => name);
}

function isFolder(path: string): boolean {
  return has(path, "isDirectory");
}

function isFile(path: string): boolean {
  return has(path, "isFile");
}

function has(path: string, kind: "isDirectory" | "isFile"): boolean {
  try {
    return Deno.statSync(path)[kind];
  } catch {
    return false;
  }
}
