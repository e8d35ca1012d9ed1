import type { Rng } from "../../../stages/seed.ts";
import { objectTypes, receptacleTypes } from "../catalog.ts";
import { changeOf, type Goal } from "../goal.ts";
import { type Level, startPlaces } from "./goals.ts";
import { placeObjects } from "./_place_objects.ts";

/** A receptacle of a room; its name is `type number`. */
export interface PlacedReceptacle {
  readonly type: string;
  readonly number: number;
  /** Receptacles with one location are reached together. */
  readonly location: number;
  readonly locked: boolean;
  readonly broken: boolean;
}

/** A thing and where it starts. */
export interface PlacedObject {
  readonly type: string;
  readonly number: number;
  /** Index into the receptacles. */
  readonly receptacle: number;
  /** Whether it starts cold. */
  readonly cool: boolean;
}

/** A furnished room. */
export interface Layout {
  readonly receptacles: readonly PlacedReceptacle[];
  readonly objects: readonly PlacedObject[];
}

/** What a level allows: total receptacles and things (both inclusive), and how many of one kind. */
const sizes = [
  { receptacles: [4, 6], objects: [3, 5], most: 1 },
  { receptacles: [7, 9], objects: [5, 7], most: 2 },
  { receptacles: [10, 15], objects: [10, 15], most: 3 },
  { receptacles: [20, 30], objects: [25, 40], most: 6 },
] as const;

/** Types of which a room has one at most. */
const single = new Set([
  ...["fridge", "microwave", "sinkbasin", "stoveburner", "bathtubbasin", "garbagecan"],
  ...["coffeemachine", "toilet", "bed", "sofa", "tvstand", "laundryhamper", "cart"],
]);

/** How often a rule has its exception where it could. */
const exceptionRate = 0.2;

/**
 * Furnishes a room for a goal: what the task needs, then more at random. From
 * level 1 on an appliance may be broken while another one works, and of two
 * destinations one may be locked.
 */
export function layout(goal: Goal, level: Level, rng: Rng): Layout {
  const { receptacles: [fewest, most], objects, most: mostOfAKind } = sizes[level];
  const change = changeOf(goal.kind);
  const draw = rng.fork("rules");
  const broken = level > 0 && change !== null && change !== "cool" && draw.chance(exceptionRate);
  const twins = receptacleTypes[goal.destination]?.openable && !single.has(goal.destination);
  const locked = level > 0 && twins === true && draw.chance(exceptionRate);
  const starts = drawStarts(goal, level, rng.fork("starts"));
  const counts = new Map<string, number>();
  const need = (type: string, count = 1) => counts.set(type, Math.max(count, counts.get(type) ?? 0));
  const total = () => [...counts.values()].reduce((a, b) => a + b, 0);

  if (level > 0) ["fridge", "microwave", "sinkbasin"].forEach((type) => need(type));
  else if (change) need({ heat: "microwave", cool: "fridge", clean: "sinkbasin" }[change]);
  if (goal.kind !== "look_at_obj_in_light") need(goal.destination, locked ? 2 : 1);
  starts.forEach((type) => need(type));
  const furnish = rng.fork("receptacles");
  const lampPlace = startOf("desklamp", counts, furnish);
  if (goal.kind === "look_at_obj_in_light") need(lampPlace);
  // The stand-ins are also there when nothing is broken, and now and then when nothing is heated or cleaned.
  if (level > 0 && (change === "heat" || furnish.chance(0.25))) need("stoveburner");
  if (level > 0 && (change === "clean" || furnish.chance(0.25))) need("bathtubbasin");
  const size = Math.max(total(), fewest + furnish.int(most - fewest + 1));
  const pool = Object.keys(receptacleTypes).filter((r) =>
    receptacleTypes[r].level <= level && !standIns.has(r)
  );
  while (total() < size) {
    const free = pool.filter((r) => (counts.get(r) ?? 0) < (single.has(r) ? 1 : mostOfAKind));
    const next = furnish.pick(free);
    counts.set(next, (counts.get(next) ?? 0) + 1);
  }

  const receptacles = arrange(counts, level, rng.fork("locations"));
  const lockedOne = locked ? receptacles.findIndex((r) => r.type === goal.destination) + draw.int(2) : -1;
  const brokenType = broken ? (change === "heat" ? "microwave" : "sinkbasin") : null;
  const marked = receptacles.map((r, i) => ({
    ...r,
    locked: i === lockedOne,
    broken: r.type === brokenType,
  }));
  const count = objects[0] + rng.fork("count").int(objects[1] - objects[0] + 1);
  return {
    receptacles: marked,
    objects: placeObjects(goal, level, starts, marked, count, lampPlace, rng.fork("objects")),
  };
}

const standIns = new Set(["stoveburner", "bathtubbasin"]);

/** Where the targets start: one, two for a task of two, and distractors from level 2 on. */
function drawStarts(goal: Goal, level: Level, rng: Rng): string[] {
  const places = startPlaces(goal, level);
  const weights = places.map((r) => objectTypes[goal.target].places[r]);
  const needed = goal.kind === "pick_two_obj_and_place" ? 2 : 1;
  const count = needed + (level >= 2 ? 1 + rng.int(2) : 0);
  return Array.from({ length: count }, () => rng.weighted(places, weights));
}

/** A place for a thing by habit, among those that are there if one is. */
function startOf(object: string, counts: ReadonlyMap<string, number>, rng: Rng): string {
  const { places } = objectTypes[object];
  const present = Object.keys(places).filter((r) => counts.has(r));
  const types = present.length > 0 ? present : Object.keys(places);
  return rng.weighted(types, types.map((r) => places[r]));
}

function arrange(counts: ReadonlyMap<string, number>, level: Level, rng: Rng): PlacedReceptacle[] {
  const out: PlacedReceptacle[] = [];
  let location = 0;
  for (const type of [...counts.keys()].sort()) {
    for (let number = 1; number <= counts.get(type)!; number++) {
      const shared = level >= 2 && location > 0 && rng.chance(0.1);
      if (!shared) location++;
      out.push({ type, number, location, locked: false, broken: false });
    }
  }
  return out;
}
