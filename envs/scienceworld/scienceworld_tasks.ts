import { Rng } from "../../stages/seed.ts";
import type { Split, Task, TaskSource } from "../env.ts";
import { simplifications as known, type TaskName, taskNames, variations } from "./catalogue.ts";
import { splitVariations } from "./split_variations.ts";

/** Moves of an episode where no limit is given, as in ScienceWorld's own interface. */
export const scienceWorldMoves = 100;

/** Which of ScienceWorld's tasks. */
export interface ScienceWorldTaskOptions {
  /** Tasks with a weight above 0; all if left out. */
  readonly kinds?: Readonly<Record<string, number>>;
  /** `easy`, names joined by commas, or "" for none. */
  readonly simplifications: string;
  /** Limit of moves and of turns. */
  readonly maxTurns?: number;
}

/** What `ScienceWorld.reset` needs. */
export interface ScienceWorldPayload {
  readonly task: TaskName;
  readonly variation: number;
  readonly simplifications: string;
  readonly maxTurns: number;
}

/**
 * The variations of ScienceWorld's tasks in its own splits (dev is `valid`), in a
 * fixed shuffled order, so that any stretch of them holds many tasks.
 *
 * @throws RangeError for a task or a simplification that does not exist.
 */
export function scienceWorldTasks(options: ScienceWorldTaskOptions): TaskSource {
  const { kinds, simplifications, maxTurns = scienceWorldMoves } = options;
  const unknown = Object.keys(kinds ?? {}).find((kind) => !Object.hasOwn(variations, kind));
  if (unknown !== undefined) throw new RangeError(`no task of ScienceWorld is called ${unknown}`);
  for (const name of simplifications.split(",")) {
    if (!["", "easy", ...known].includes(name)) {
      throw new RangeError(`no simplification is called ${name}; there are easy, ${known.join(", ")}`);
    }
  }
  const chosen = taskNames.filter((name) => kinds === undefined || (kinds[name] ?? 0) > 0);
  const orders = new Map<Split, readonly (readonly [TaskName, number])[]>();
  const order = (split: Split) => {
    const made = orders.get(split) ?? shuffled(chosen, split);
    orders.set(split, made);
    return made;
  };
  return {
    size: (split) => order(split).length,
    task(split, index): Task {
      const entry = order(split)[index];
      if (entry === undefined) {
        throw new RangeError(`split ${split} has ${order(split).length} tasks, no number ${index}`);
      }
      const [task, variation] = entry;
      const payload: ScienceWorldPayload = { task, variation, simplifications, maxTurns };
      return { id: `scienceworld/${task}/${variation}`, kind: task, payload: { ...payload } };
    },
  };
}

function shuffled(tasks: readonly TaskName[], split: Split): readonly (readonly [TaskName, number])[] {
  const all = tasks.flatMap((task) => {
    const [from, to] = splitVariations(variations[task], split);
    return Array.from({ length: to - from }, (_, i) => [task, from + i] as const);
  });
  return new Rng(`scienceworld/${split}`).shuffle(all);
}
