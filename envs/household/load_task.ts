import type { Json, Split, Task } from "../env.ts";
import { EnvError } from "../../stages/errors.ts";
import { openArchive } from "./alfworld/open_archive.ts";
import { parseGameFile, parseGameText, readGameFile } from "../text_game/game_file.ts";
import { TextGame } from "../text_game/text_game.ts";
import { type GameCoordinates, generateGame, generatorVersion } from "./generate/generate_game.ts";
import type { Level } from "./generate/goals.ts";
import { type Goal, readGoal } from "./goal.ts";

/** Where a task's game is from. */
export type HouseholdPayload =
  & { readonly maxTurns: number }
  & (
    | ({ readonly game: "generated"; readonly version: number } & GameCoordinates)
    | { readonly game: "file"; readonly path: string }
    | { readonly game: "archive"; readonly path: string; readonly entry: string }
    | { readonly game: "inline"; readonly file: Json }
  );

/** A game ready to play. */
export interface LoadedTask {
  readonly game: TextGame;
  /** Null if the task sentence is of no known form. */
  readonly goal: Goal | null;
  readonly maxTurns: number;
}

const keep = 64;
const loaded = new Map<string, LoadedTask>();
/** The same by the payload itself, which a snapshot passes on: no need to print it again. */
const byPayload = new WeakMap<object, LoadedTask>();

/**
 * The game of a task; the last 64 are kept, so that the attempts at a task share
 * one.
 *
 * @throws EnvError that names what is wrong with the payload, FileError for a broken game file.
 */
export function loadTask(task: Task): LoadedTask {
  const payload = task.payload as Partial<Record<string, Json>> | null;
  const isObject = typeof payload === "object" && payload !== null;
  const same = isObject ? byPayload.get(payload) : undefined;
  if (same) return same;
  const key = JSON.stringify(payload);
  const entry = loaded.get(key) ?? load(task, payload, key);
  if (isObject) byPayload.set(payload, entry);
  return entry;
}

function load(task: Task, payload: Partial<Record<string, Json>> | null, key: string): LoadedTask {
  const fail = (reason: string) =>
    new EnvError({ environment: "household", task: task.id, operation: "reset", reason });
  if (typeof payload !== "object" || payload === null) {
    throw fail(`the payload is ${key}, not an object`);
  }
  const { maxTurns } = payload;
  if (typeof maxTurns !== "number" || !Number.isSafeInteger(maxTurns) || maxTurns < 1) {
    throw fail(`maxTurns is ${maxTurns}, not a positive whole number`);
  }
  const game = new TextGame(gameFileOf(payload, fail), task.id);
  const entry = { game, goal: readGoal(game.intro()), maxTurns };
  loaded.set(key, entry);
  if (loaded.size > keep) loaded.delete(loaded.keys().next().value!);
  return entry;
}

function gameFileOf(payload: Partial<Record<string, Json>>, fail: (reason: string) => EnvError) {
  const { game, version, split, index, level, kinds, path, entry, file } = payload;
  switch (game) {
    case "generated":
      if (version !== generatorVersion) {
        throw fail(`the task is of generator version ${version}, this is version ${generatorVersion}`);
      }
      if (![0, 1, 2, 3].includes(level as number)) throw fail(`level is ${level}, not 0, 1, 2 or 3`);
      if (!["train", "valid", "test"].includes(split as string)) throw fail(`split is ${split}`);
      return generateGame({
        split: split as Split,
        index: index as number,
        level: level as Level,
        ...(kinds === undefined ? {} : { kinds: kinds as GameCoordinates["kinds"] & object }),
      }).file;
    case "file":
      if (typeof path !== "string") throw fail(`path is ${path}, not a text`);
      return readGameFile(path);
    case "archive":
      if (typeof path !== "string" || typeof entry !== "string") throw fail("path or entry is no text");
      return parseGameText(openArchive(path).read(entry), `${path}/${entry}`);
    case "inline":
      return parseGameFile(file, "inline game");
    default:
      throw fail(`game is ${game}, not "generated", "file", "archive" or "inline"`);
  }
}
