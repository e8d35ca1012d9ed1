import { EnvError } from "../../stages/errors.ts";
import type { Json, Task } from "../env.ts";
import { generateLab, generatorVersion, type LabCoordinates } from "./generate/generate_lab.ts";
import type { LabWorld } from "./world/lab_world.ts";

/** A lab ready to play. */
export interface LoadedLab {
  readonly world: LabWorld;
  readonly maxTurns: number;
}

const keep = 64;
const loaded = new Map<string, LoadedLab>();

/**
 * The lab of a task; the last 64 are kept, so that the attempts at a task share
 * one.
 *
 * @throws EnvError that names what is wrong with the payload.
 */
export function loadTask(task: Task): LoadedLab {
  const key = JSON.stringify(task.payload);
  const known = loaded.get(key);
  if (known !== undefined) return known;
  const entry = load(task);
  loaded.set(key, entry);
  if (loaded.size > keep) loaded.delete(loaded.keys().next().value!);
  return entry;
}

function load(task: Task): LoadedLab {
  const fail = (reason: string) =>
    new EnvError({ environment: "lab", task: task.id, operation: "reset", reason });
  if (typeof task.payload !== "object" || task.payload === null || Array.isArray(task.payload)) {
    throw fail(`the payload is ${JSON.stringify(task.payload)}, not an object`);
  }
  const { version, split, index, level, kinds, menu, maxTurns } = task.payload as Record<string, Json>;
  if (typeof maxTurns !== "number" || !Number.isSafeInteger(maxTurns) || maxTurns < 1) {
    throw fail(`maxTurns is ${maxTurns}, not a positive whole number`);
  }
  if (version !== generatorVersion) {
    throw fail(`the task is of generator version ${version}, this is version ${generatorVersion}`);
  }
  if (![0, 1, 2, 3].includes(level as number)) throw fail(`level is ${level}, not 0, 1, 2 or 3`);
  if (!["train", "valid", "test"].includes(split as string)) throw fail(`split is ${split}`);
  const coordinates = {
    split,
    index,
    level,
    ...(kinds === undefined ? {} : { kinds }),
    ...(menu === undefined ? {} : { menu: menu === true }),
  };
  try {
    return { world: generateLab(coordinates as unknown as LabCoordinates), maxTurns };
  } catch (error) {
    throw fail((error as Error).message);
  }
}
