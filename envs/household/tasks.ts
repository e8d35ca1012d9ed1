import type { Task, TaskSource } from "../env.ts";
import { levelOf } from "../level.ts";
import { generateGame, generatorVersion } from "./generate/generate_game.ts";

/** Which games to generate. */
export interface HouseholdTaskOptions {
  /** 0 to 3. */
  readonly level: number;
  /** Relative frequencies of the task types. */
  readonly kinds?: Readonly<Record<string, number>>;
  /** Turn limit; default by level 12, 14, 25, 50. */
  readonly maxTurns?: number;
}

/** Turn limits by level. */
export const defaultMaxTurns = [12, 14, 25, 50] as const;

/**
 * Endless generated tasks; a task's payload is the coordinates of its game. A
 * level or task type that does not exist is a RangeError when a task is asked for.
 */
export function householdTasks({ level: given, kinds, maxTurns }: HouseholdTaskOptions): TaskSource {
  return {
    size: () => Infinity,
    task(split, index): Task {
      const level = levelOf(given);
      const { goal } = generateGame({ split, index, level, ...(kinds === undefined ? {} : { kinds }) });
      return {
        id: `household/${split}/${level}/${String(index).padStart(6, "0")}`,
        kind: goal.kind,
        payload: {
          game: "generated",
          version: generatorVersion,
          split,
          index,
          level,
          ...(kinds === undefined ? {} : { kinds }),
          maxTurns: maxTurns ?? defaultMaxTurns[level],
        },
      };
    },
  };
}

/** A task that plays an official `game.tw-pddl`; `kind` is the first part of its folder's name. */
export function fileTask(path: string, maxTurns = 50): Task {
  const folder = path.split("/").at(-3) ?? "";
  return { id: path, kind: folder.split("-")[0] || "file", payload: { game: "file", path, maxTurns } };
}
