import type { Rng } from "../../../stages/seed.ts";
import { objectTypes } from "../catalog.ts";
import { changeOf, type Goal } from "../goal.ts";
import type { Level } from "./goals.ts";
import type { PlacedObject, PlacedReceptacle } from "./layout.ts";

/**
 * Puts the targets where they start and fills the room with other things, each
 * where its kind is usually found and none behind a lock.
 */
export function placeObjects(
  goal: Goal,
  level: Level,
  starts: readonly string[],
  receptacles: readonly PlacedReceptacle[],
  count: number,
  lampPlace: string,
  rng: Rng,
): PlacedObject[] {
  const places = (type: string) => receptacles.flatMap((r, i) => r.type === type && !r.locked ? [i] : []);
  const things: { type: string; receptacle: number; cool: boolean }[] = [];
  const put = (type: string, place: string, cool = false) =>
    things.push({ type, receptacle: rng.pick(places(place)), cool });

  const needed = goal.kind === "pick_two_obj_and_place" ? 2 : 1;
  const coolable = changeOf(goal.kind) !== "cool" && objectTypes[goal.target].changes.includes("cool");
  starts.forEach((place, i) => put(goal.target, place, i >= needed && coolable && rng.chance(0.3)));
  if (goal.kind === "look_at_obj_in_light") put("desklamp", lampPlace);
  else if (places(lampPlace).length > 0 && rng.chance(0.2)) put("desklamp", lampPlace);

  const fillers = Object.keys(objectTypes).filter((type) =>
    objectTypes[type].level <= level && objectTypes[type].group !== "lamp" && type !== goal.target &&
    Object.keys(objectTypes[type].places).some((r) => places(r).length > 0)
  );
  while (things.length < count && fillers.length > 0) {
    const type = rng.pick(fillers);
    const present = Object.keys(objectTypes[type].places).filter((r) => places(r).length > 0);
    put(type, rng.weighted(present, present.map((r) => objectTypes[type].places[r])));
  }
  return number(things, rng);
}

/** Numbers the things of each type from 1 in random order. */
function number(
  things: readonly { type: string; receptacle: number; cool: boolean }[],
  rng: Rng,
): PlacedObject[] {
  const used = new Map<string, number>();
  return rng.shuffle(things).map((thing) => {
    const n = (used.get(thing.type) ?? 0) + 1;
    used.set(thing.type, n);
    return { ...thing, number: n };
  });
}
