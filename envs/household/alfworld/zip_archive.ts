import { unzipSync } from "fflate";
import { FileError } from "../../../stages/errors.ts";
import { type GameArchive, gamePath, largestGame } from "./game_archive.ts";

/** Largest zip file that is read, in bytes: it is held in memory. */
const largestZip = 2 ** 31 - 1;

/** Games that are unpacked at a time, since each pass goes through the whole directory. */
const batch = 128;

/** The games in a release's zip file. @throws FileError if it is none or holds no games */
export function zipArchive(path: string): GameArchive {
  let bytes: Uint8Array;
  try {
    const { size } = Deno.statSync(path);
    if (size > largestZip) throw new Error(`${size} bytes, at most ${largestZip} are read`);
    bytes = Deno.readFileSync(path);
  } catch (error) {
    throw new FileError({ path, reason: `cannot read ALFWorld's games: ${(error as Error).message}` });
  }
  const sizes = new Map<string, number>();
  const unpack = (wanted: (name: string, size: number) => boolean) => {
    try {
      return unzipSync(bytes, { filter: ({ name, originalSize }) => wanted(name, originalSize) });
    } catch (error) {
      throw new FileError({ path, reason: `cannot unpack the zip file: ${(error as Error).message}` });
    }
  };
  unpack((name, size) => {
    if (gamePath.test(name)) sizes.set(name, size);
    return false;
  });
  if (sizes.size === 0) {
    throw new FileError({ path, reason: "the zip file holds no game.tw-pddl of a split" });
  }

  const textOf = (game: string, content: Uint8Array | undefined): string => {
    const fail = (reason: string) => new FileError({ path: `${path}/${game}`, reason });
    const size = sizes.get(game);
    if (size === undefined) throw fail("the zip file holds no such game");
    if (size > largestGame) throw fail(`${size} bytes, at most ${largestGame} are read`);
    if (content === undefined || content.length !== size) throw fail("the zip file is damaged here");
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(content);
    } catch {
      throw fail("the zip file is damaged here: no UTF-8");
    }
  };
  const some = (games: ReadonlySet<string>) => unpack((name, size) => size <= largestGame && games.has(name));
  return {
    games: [...sizes.keys()].sort(),
    read: (game) => textOf(game, some(new Set([game]))[game]),
    readEach(games, visit) {
      for (let i = 0; i < games.length; i += batch) {
        const part = games.slice(i, i + batch);
        let contents: Record<string, Uint8Array> | null;
        try {
          contents = some(new Set(part));
        } catch {
          // One damaged game spoils the pass: each by itself then.
          contents = null;
        }
        for (const game of part) {
          let text: string | FileError;
          try {
            text = textOf(game, (contents ?? some(new Set([game])))[game]);
          } catch (error) {
            text = error as FileError;
          }
          visit(game, text);
        }
      }
    },
  };
}
