import { isHolder, roleOf, standIns, thingTypes } from "../catalog.ts";
import { phaseOf } from "../substances.ts";
import { door, type LabState } from "../world/lab_state.ts";
import type { LabWorld } from "../world/lab_world.ts";
import { nameOf } from "../world/scope.ts";
import { tapMass } from "../world/tick.ts";
import { Belief } from "./belief.ts";

/** A belief that holds all of a state. */
export function fullBelief(world: LabWorld, state: LabState): Belief {
  const belief = new Belief(world.goal, world.rooms, world.teleport);
  belief.room = state.room;
  belief.focus = state.focus;
  for (const room of world.rooms) {
    belief.seen.add(room);
    const doors = world.neighbours[room].map((other): [string, boolean] => [
      other,
      state.open.includes(door(room, other)),
    ]);
    belief.doors.set(room, new Map(doors));
  }
  for (const [thing, parent] of Object.entries(state.at)) {
    belief.at.set(thing, parent);
    if (isHolder(thing)) belief.searched.add(thing);
    if (roleOf(thing) === "plant") belief.names.set(thing, nameOf(state, thing));
  }
  for (const thing of state.open) belief.open.add(thing);
  for (const thing of state.on) belief.on.add(thing);
  for (const [pot, grams] of Object.entries(state.moisture)) if (grams > 0) belief.wet.add(pot);
  for (const [vessel, portions] of Object.entries(state.contents)) {
    belief.contents.set(
      vessel,
      portions.map(({ substance, mass, temperature }) => ({
        substance,
        units: mass / tapMass,
        phase: phaseOf(substance, temperature),
      })),
    );
  }
  for (const [a, b] of state.wires) belief.connect(a, b);
  for (const device of world.broken) belief.broken.set(device, standIns[device]);
  const { target } = world.goal;
  if (state.found.includes("measured")) belief.reading = world.start.contents[target][0].temperature / 10;
  if (state.found.includes("tested")) belief.lit = thingTypes[target].conducts === true;
  return belief;
}
