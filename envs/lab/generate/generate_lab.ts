import { Rng, seedPath } from "../../../stages/seed.ts";
import type { Split } from "../../env.ts";
import { type Goal, type TaskKind, taskKinds } from "../goal.ts";
import type { LabWorld } from "../world/lab_world.ts";
import { furnish } from "./furnish.ts";
import { goals, type Level } from "./goals.ts";
import { plan } from "./plan_rooms.ts";

/** Changes whenever the same coordinates give another lab. */
export const generatorVersion = 1;

/** The coordinates of a lab: with the generator's version, all that it depends on. */
export interface LabCoordinates {
  readonly split: Split;
  readonly index: number;
  readonly level: Level;
  /** Relative frequencies of the kinds; a missing one is 0. Default: all alike. */
  readonly kinds?: Readonly<Record<string, number>>;
  /** Ask which thing is meant by an ambiguous command. */
  readonly menu?: boolean;
}

/**
 * A lab whose task can be done. The same coordinates always give the same lab; the
 * goals of the splits are disjoint.
 *
 * @throws RangeError if the index is no natural number or no kind has a goal in the split.
 */
export function generateLab({ split, index, level, kinds, menu = false }: LabCoordinates): LabWorld {
  if (!Number.isSafeInteger(index) || index < 0) {
    throw new RangeError(`Cannot generate a lab: index ${index} is no natural number`);
  }
  const rng = new Rng(seedPath("lab", generatorVersion, split, level, index));
  const goal = drawGoal(rng.fork("goal"), split, level, kinds);
  const rooms = plan(goal, level, rng.fork("rooms"));
  const { broken, start } = furnish(goal, rooms, level, rng.fork("furniture"));
  const found = goal.kind === "find_living_thing" || goal.kind === "find_non_living_thing";
  return {
    goal: found || goal.kind === "mix_paint" ? { ...goal, no: "" } : goal,
    rooms: rooms.rooms,
    neighbours: rooms.neighbours,
    teleport: level < 2,
    menu,
    broken,
    start,
  };
}

function drawGoal(rng: Rng, split: Split, level: Level, kinds?: Readonly<Record<string, number>>): Goal {
  const weights = kinds ?? Object.fromEntries(taskKinds.map((kind) => [kind, 1]));
  const unknown = Object.keys(weights).find((kind) => !(taskKinds as readonly string[]).includes(kind));
  if (unknown !== undefined) {
    throw new RangeError(`Cannot generate a lab: no task kind ${unknown}; there are ${taskKinds.join(", ")}`);
  }
  const possible: TaskKind[] = taskKinds.filter((kind) =>
    (weights[kind] ?? 0) > 0 && goals(kind, level, split).length > 0
  );
  if (possible.length === 0) {
    throw new RangeError(
      `Cannot generate a lab: no task kind of ${JSON.stringify(weights)} has goals in ${split}`,
    );
  }
  return rng.pick(goals(rng.weighted(possible, possible.map((kind) => weights[kind])), level, split));
}
