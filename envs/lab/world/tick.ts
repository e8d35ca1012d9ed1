import { roleOf, stages, thingTypes } from "../catalog.ts";
import { type Phase, phaseOf } from "../substances.ts";
import { type LabState, type Portion, withEntry } from "./lab_state.ts";
import { inScope, nameOf } from "./scope.ts";

/** Room temperature, a heater's and a freezer's, in tenths of a degree. */
export const temperatures = { room: 200, heater: 5000, freezer: -500 } as const;

/** Tenths of a degree that one tick changes at most. */
const rates = { room: 20, heater: 200, freezer: 50 } as const;

/** Grams of water that a tap puts into an empty vessel. */
export const tapMass = 100;

/** Ticks that a wet plant needs for a stage, and grams of water that it takes a tick. */
export const growthTicks = 10;
const thirst = 2;

/** What surrounds a vessel's contents. */
export function surroundings(state: LabState, vessel: string): keyof typeof temperatures {
  const parent = state.at[vessel];
  const role = Object.hasOwn(thingTypes, parent) ? roleOf(parent) : "object";
  if (role === "heater" && state.on.includes(parent)) return "heater";
  return role === "cooler" && !state.open.includes(parent) ? "freezer" : "room";
}

/** One unit of time for everything, in order of names; `events` says what could be seen of it. */
export function tick(before: LabState): { readonly state: LabState; readonly events: readonly string[] } {
  const events: string[] = [];
  const seen = new Set(inScope(before));
  let state = before;
  for (const vessel of Object.keys(before.contents).sort()) {
    const { parent, filled } = { parent: before.at[vessel], filled: before.contents[vessel] };
    if (filled.length === 0) {
      if (Object.hasOwn(thingTypes, parent) && roleOf(parent) === "tap" && before.on.includes(parent)) {
        state = { ...state, contents: withEntry(state.contents, vessel, [water]) };
        if (seen.has(vessel)) events.push(`The ${vessel} fills with water.`);
      }
      continue;
    }
    if (thingTypes[vessel].insulated) continue;
    const around = surroundings(before, vessel);
    const next = filled.map((portion) => approach(portion, temperatures[around], rates[around]));
    if (next.every((portion, i) => portion === filled[i])) continue;
    state = { ...state, contents: withEntry(state.contents, vessel, next) };
    next.forEach((portion, i) => {
      const verb = change(
        phaseOf(portion.substance, filled[i].temperature),
        phaseOf(portion.substance, portion.temperature),
      );
      if (verb !== null && seen.has(vessel)) events.push(`The ${portion.substance} ${verb}.`);
    });
  }
  for (const plant of Object.keys(before.growth).sort()) {
    const grown = grow(state, plant);
    if (grown.growth[plant].stage > state.growth[plant].stage && seen.has(plant)) {
      events.push(`The ${nameOf(state, plant)} becomes a ${nameOf(grown, plant)}.`);
    }
    state = grown;
  }
  return { state, events };
}

const water: Portion = { substance: "water", mass: tapMass, temperature: temperatures.room };

function approach(portion: Portion, target: number, rate: number): Portion {
  const { temperature } = portion;
  if (temperature === target) return portion;
  const step = Math.min(rate, Math.abs(target - temperature));
  return { ...portion, temperature: temperature + Math.sign(target - temperature) * step };
}

function change(before: Phase, after: Phase): string | null {
  if (before === after) return null;
  if (after === "gas") return "boils";
  if (after === "solid") return "freezes";
  return before === "solid" ? "melts" : "condenses";
}

function grow(state: LabState, plant: string): LabState {
  const pot = state.at[plant];
  const { stage, age } = state.growth[plant];
  const wet = state.moisture[pot] ?? 0;
  if (wet <= 0 || stage === stages.length - 1) return state;
  const older = age + 1 === growthTicks ? { stage: stage + 1, age: 0 } : { stage, age: age + 1 };
  return {
    ...state,
    moisture: withEntry(state.moisture, pot, Math.max(0, wet - thirst)),
    growth: withEntry(state.growth, plant, older),
  };
}
