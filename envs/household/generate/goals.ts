import type { Split } from "../../env.ts";
import { hash32 } from "../../../stages/seed.ts";
import { canContain, objectTypes, plausibility, receptacleTypes } from "../catalog.ts";
import { changeOf, type Goal, type TaskKind } from "../goal.ts";

/** How hard a game is: 0 all in sight, 1 a few places, 2 more with distractors, 3 ALFWorld's size. */
export type Level = 0 | 1 | 2 | 3;

/** The split that a task belongs to, by a hash of its type, target and destination. */
export function splitOf({ kind, target, destination }: Goal): Split {
  const slot = hash32(`${kind}/${target}/${destination}`) % 8;
  return slot === 0 ? "valid" : slot === 1 ? "test" : "train";
}

const cache = new Map<string, readonly Goal[]>();

/** Every goal of a task type that a level and a split can have, in a fixed order. */
export function goals(kind: TaskKind, level: Level, split: Split): readonly Goal[] {
  const key = `${kind}/${level}/${split}`;
  const known = cache.get(key);
  if (known) return known;
  const found = allGoals(kind, level).filter((goal) => splitOf(goal) === split);
  cache.set(key, found);
  return found;
}

/** The receptacle types where a target of a goal may start: never the destination, open ones at level 0. */
export function startPlaces({ target, destination }: Goal, level: Level): string[] {
  return Object.keys(objectTypes[target].places).filter((r) =>
    r !== destination && receptacleTypes[r].level <= level && (level > 0 || !receptacleTypes[r].openable)
  );
}

function allGoals(kind: TaskKind, level: Level): Goal[] {
  const change = changeOf(kind);
  const out: Goal[] = [];
  for (const [target, type] of Object.entries(objectTypes)) {
    if (type.level > level || type.group === "lamp" || (change && !type.changes.includes(change))) continue;
    const destinations = kind === "look_at_obj_in_light"
      ? ["desklamp"]
      : Object.keys(receptacleTypes).filter((r) => isDestination(target, r, kind, level));
    for (const destination of destinations) {
      const goal = { kind, target, destination };
      if (startPlaces(goal, level).length > 0) out.push(goal);
    }
  }
  return out;
}

/** A place that takes the thing, that is not its usual one, and where the change does not happen anyway. */
function isDestination(target: string, receptacle: string, kind: TaskKind, level: Level): boolean {
  const change = changeOf(kind);
  if (receptacleTypes[receptacle].level > level || !canContain(receptacle, target)) return false;
  if (plausibility(target, receptacle) > 0.5) return false;
  if (change === "heat" && (receptacle === "microwave" || receptacle === "stoveburner")) return false;
  if (change === "cool" && receptacle === "fridge") return false;
  if (change === "clean" && (receptacle === "sinkbasin" || receptacle === "bathtubbasin")) return false;
  return level >= 2 || (receptacle !== "stoveburner" && receptacle !== "bathtubbasin");
}
