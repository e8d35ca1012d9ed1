import { roleOf, thingTypes } from "../catalog.ts";
import type { LabState } from "./lab_state.ts";

/** What a thing is connected to. */
export function connectedTo(state: LabState, thing: string): string[] {
  return state.wires.flatMap(([a, b]) => a === thing ? [b] : b === thing ? [a] : []);
}

/** The closed loop through the battery and the light bulb, from the battery on; null if there is none. */
export function loop(state: LabState): readonly string[] | null {
  const start = "battery";
  const path = [start];
  for (let at = connectedTo(state, start)[0]; at !== undefined && path.length <= state.wires.length;) {
    path.push(at);
    const before = path[path.length - 2];
    const next = connectedTo(state, at).filter((other) => other !== before)[0];
    if (next === start) return path.includes("light bulb") ? path : null;
    at = next;
  }
  return null;
}

/** The light bulb shines: the loop is closed and every part of it conducts. */
export function isLit(state: LabState): boolean {
  const path = loop(state);
  return path !== null &&
    path.every((thing) =>
      thingTypes[thing].conducts === true && (roleOf(thing) !== "switch" || state.on.includes(thing))
    );
}

/** The state without connections of a thing. */
export function disconnected(state: LabState, thing: string): LabState {
  const wires = state.wires.filter(([a, b]) => a !== thing && b !== thing);
  return wires.length === state.wires.length ? state : { ...state, wires };
}

/** What a changed circuit shows: nothing while the loop is open. */
export function lightText(state: LabState): string {
  return loop(state) === null ? "" : ` The light bulb ${isLit(state) ? "is on" : "stays off"}.`;
}
