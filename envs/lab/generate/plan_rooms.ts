import type { Rng } from "../../../stages/seed.ts";
import { rooms as allRooms } from "../catalog.ts";
import type { Goal, TaskKind } from "../goal.ts";
import { door } from "../world/lab_state.ts";
import type { Level } from "./goals.ts";

/** Rooms, where their doors lead, and which doors are open at first. */
export interface Plan {
  readonly rooms: readonly string[];
  readonly neighbours: Readonly<Record<string, readonly string[]>>;
  readonly open: readonly string[];
  /** Where the agent starts. */
  readonly start: string;
}

const sizes = [3, 4, 6, 9] as const;
const shutShare = [0, 0.3, 0.5, 0.7] as const;

const needed: Readonly<Record<TaskKind, readonly string[]>> = {
  boil: ["kitchen", "workshop"],
  melt: ["kitchen", "workshop"],
  freeze: ["kitchen", "workshop"],
  measure_temperature: ["kitchen"],
  find_living_thing: ["garden"],
  find_non_living_thing: ["living room"],
  test_conductivity: ["workshop"],
  grow_plant: ["greenhouse", "kitchen", "bathroom"],
  mix_paint: ["art studio"],
};

/** A connected plan with the rooms that a goal needs, the hallway as hub where there is one. */
export function plan(goal: Goal, level: Level, rng: Rng): Plan {
  const must = needed[goal.kind];
  const others = rng.shuffle(allRooms.filter((room) => !must.includes(room) && room !== "hallway"));
  const hub = level >= 2 ? ["hallway"] : [];
  const rooms = [...hub, ...must, ...others].slice(0, sizes[level]);
  const neighbours: Record<string, string[]> = Object.fromEntries(rooms.map((room) => [room, []]));
  const join = (a: string, b: string) => {
    if (a === b || neighbours[a].includes(b)) return;
    neighbours[a].push(b);
    neighbours[b].push(a);
  };
  const tree = rng.fork("tree");
  rooms.forEach((room, i) => i > 0 && join(room, tree.chance(0.7) ? rooms[0] : rooms[tree.int(i)]));
  for (let extra = 0; extra < level; extra++) join(tree.pick(rooms), tree.pick(rooms));
  const sorted = [...rooms].sort();
  sorted.forEach((room) => neighbours[room].sort());
  const doors = [...new Set(sorted.flatMap((room) => neighbours[room].map((other) => door(room, other))))];
  const locks = rng.fork("doors");
  return {
    rooms: sorted,
    neighbours,
    open: doors.sort().filter(() => !locks.chance(shutShare[level])),
    start: rng.fork("start").pick(sorted),
  };
}
