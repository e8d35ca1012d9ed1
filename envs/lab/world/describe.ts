import { isHolder, isOpenable, isSwitchable, roleOf } from "../catalog.ts";
import { phaseOf } from "../substances.ts";
import { connectedTo, isLit } from "./circuit.ts";
import { agent, door, type LabState, type Portion } from "./lab_state.ts";
import type { LabWorld } from "./lab_world.ts";
import { contentsOf, isReachable, nameOf, thingsAt } from "./scope.ts";

/** The room, what is in it and where its doors lead. */
export function describeRoom(world: LabWorld, state: LabState): string {
  const here = thingsAt(state, state.room);
  const inside = here.filter((thing) => isHolder(thing) && isReachable(state, thing))
    .filter((holder) => thingsAt(state, holder).length > 0)
    .map((holder) => " " + describeInside(state, holder));
  const doors = world.neighbours[state.room].map((room) =>
    state.open.includes(door(state.room, room)) ? room : `${room} (closed)`
  );
  return `You are in the ${state.room}. You see ${list(state, here)}.${inside.join("")} ` +
    `Doors: ${doors.join(", ")}.`;
}

/** What is in or on a holder or a vessel. */
export function describeInside(state: LabState, holder: string): string {
  const preposition = roleOf(holder) === "surface" || roleOf(holder) === "heater" ? "On" : "In";
  const inside = isHolder(holder)
    ? list(state, thingsAt(state, holder))
    : contentsOf(state, holder).map(portionText).join(", ") || "nothing";
  return `${preposition} the ${holder} is ${inside}.`;
}

/** What the agent carries. */
export function describeInventory(state: LabState): string {
  return `You carry ${list(state, thingsAt(state, agent))}.`;
}

/** One thing closely. */
export function describeThing(state: LabState, thing: string): string {
  return `You see ${list(state, [thing])}.`;
}

/** A substance closely: state of matter and mass, not its temperature. */
export function describePortion({ substance, temperature, mass }: Portion): string {
  return `You see ${mass} grams of ${phaseOf(substance, temperature)} ${substance}.`;
}

function list(state: LabState, things: readonly string[]): string {
  return things.map((thing) => `a ${nameOf(state, thing)}${condition(state, thing)}`).join(", ") || "nothing";
}

function condition(state: LabState, thing: string): string {
  const wires = connectedTo(state, thing);
  const facts = [...status(state, thing), ...(wires.length === 0 ? [] : [`to ${wires.join(" and ")}`])];
  return facts.length === 0 ? "" : ` (${facts.join(", ")})`;
}

function status(state: LabState, thing: string): readonly string[] {
  const role = roleOf(thing);
  if (isOpenable(thing)) return [state.open.includes(thing) ? "open" : "closed"];
  if (isSwitchable(thing)) return [state.on.includes(thing) ? "on" : "off"];
  if (role === "bulb") return [isLit(state) ? "on" : "off"];
  if (role === "pot") return [state.moisture[thing] > 0 ? "wet" : "dry"];
  return contentsOf(state, thing).map(portionText);
}

function portionText({ substance, temperature, parts }: Portion): string {
  return parts === undefined ? `${phaseOf(substance, temperature)} ${substance}` : substance;
}
