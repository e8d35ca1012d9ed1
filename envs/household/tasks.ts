import type { Json, Task, TaskSource } from "../env.ts";
import { defaultKinds, generateGame, generatorVersion, type KindWeights } from "./generate/generate_game.ts";
import type { Level } from "./generate/goals.ts";

/** Which games to generate. */
export interface HouseholdTaskOptions {
  readonly level: Level;
  /** Relative frequencies of the task types. */
  readonly kinds?: KindWeights;
  /** Turn limit; default by level 12, 14, 25, 50. */
  readonly maxTurns?: number;
}

/** Turn limits by level. */
export const defaultMaxTurns = [12, 14, 25, 50] as const;

/** Endless generated tasks; a task's payload is the coordinates of its game. */
export function householdTasks({ level, kinds, maxTurns }: HouseholdTaskOptions): TaskSource {
  const weights = kinds ?? defaultKinds(level);
  return {
    size: () => Infinity,
    task(split, index): Task {
      const { goal } = generateGame({ split, index, level, kinds: weights });
      return {
        id: `household/${split}/${level}/${String(index).padStart(6, "0")}`,
        kind: goal.kind,
        payload: {
          game: "generated",
          version: generatorVersion,
          split,
          index,
          level,
          ...(kinds === undefined ? {} : { kinds: kinds as { readonly [kind: string]: Json } }),
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
