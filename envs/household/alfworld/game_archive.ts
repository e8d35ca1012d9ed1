import type { FileError } from "../../../stages/errors.ts";

/** ALFWorld's games in a folder or a zip file. */
export interface GameArchive {
  /** Paths of every `game.tw-pddl` within the archive, ascending by code unit. */
  readonly games: readonly string[];
  /** The text of one game. @throws FileError that names archive and game */
  read(game: string): string;
  /** Reads many games, each once, in any order; what fails is given as the error. */
  readEach(games: readonly string[], visit: (game: string, text: string | FileError) => void): void;
}

/** Largest game that is read, in bytes; official ones have about 100 kB. */
export const largestGame = 1 << 24;

/** `.../<split>/<type>-<object>-<...>/<trial>/game.tw-pddl` */
export const gamePath = /(?:^|\/)(train|valid_seen|valid_unseen)\/([^/]+)\/([^/]+)\/game\.tw-pddl$/;
