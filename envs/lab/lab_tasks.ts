import type { Task, TaskSource } from "../env.ts";
import { levelOf } from "../level.ts";
import { generateLab, generatorVersion } from "./generate/generate_lab.ts";

/** Which labs to generate. */
export interface LabTaskOptions {
  /** 0 to 3. */
  readonly level: number;
  /** Relative frequencies of the kinds. */
  readonly kinds?: Readonly<Record<string, number>>;
  /** Turn limit; default by level 14, 16, 36, 60. */
  readonly maxTurns?: number;
  /** Ask which thing is meant by an ambiguous command, instead of taking the first. */
  readonly menu?: boolean;
}

/** Turn limits by level. */
export const labMaxTurns = [14, 16, 36, 60] as const;

/**
 * Endless generated tasks; a task's payload is the coordinates of its lab. A level
 * or kind that does not exist is a RangeError when a task is asked for.
 */
export function labTasks({ level: given, kinds, maxTurns, menu }: LabTaskOptions): TaskSource {
  return {
    size: () => Infinity,
    task(split, index): Task {
      const level = levelOf(given);
      const more = { ...(kinds === undefined ? {} : { kinds }), ...(menu === undefined ? {} : { menu }) };
      const coordinates = { split, index, level, ...more };
      return {
        id: `lab/${split}/${level}/${String(index).padStart(6, "0")}`,
        kind: generateLab(coordinates).goal.kind,
        payload: { version: generatorVersion, ...coordinates, maxTurns: maxTurns ?? labMaxTurns[level] },
      };
    },
  };
}
