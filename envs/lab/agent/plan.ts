import { isHolder, isLiving, stages, thingTypes } from "../catalog.ts";
import type { TaskKind } from "../goal.ts";
import { threshold } from "../goal.ts";
import { substances } from "../substances.ts";
import type { Belief } from "./belief.ts";
import { growPlant } from "./grow_plant.ts";
import { mixPaint } from "./mix_paint.ts";
import { carry, goTo, type PlanStep, reach, search, towards } from "./steps.ts";
import { testCircuit } from "./test_circuit.ts";

/** Parts of a plan that an agent may not know of. */
export interface PlanOptions {
  /** Never focuses on what the task is about. */
  readonly skipFocus?: boolean;
  /** Never switches a heater on or closes a freezer. */
  readonly skipActivate?: boolean;
  /** Answers without measuring or testing. */
  readonly skipTest?: boolean;
  /** Never waters. */
  readonly skipWater?: boolean;
  /** Never mixes what it has poured together. */
  readonly skipMix?: boolean;
}

/** The next step from what is known. Never null; with nothing left to try it looks around. */
export function plan(belief: Belief, options: PlanOptions = {}): PlanStep {
  return plans[belief.goal.kind](belief, options);
}

type Plan = (belief: Belief, options: PlanOptions) => PlanStep;

/** Focuses on a thing or substance in `thing`, unless that is done or skipped. */
function focus(belief: Belief, thing: string, name: string, { skipFocus }: PlanOptions): PlanStep | null {
  if (belief.focus !== null || skipFocus === true) return null;
  return towards("focus", reach(belief, thing), `focus on ${name}`);
}

const wait: PlanStep = { action: "wait", subgoal: "wait", kind: "wait" };

function heat(belief: Belief, options: PlanOptions): PlanStep {
  const heater = belief.broken.get("stove") ?? "stove";
  return toDevice(
    belief,
    options,
    heater,
    `heat ${belief.goal.target} with ${heater}`,
    () => belief.on.has(heater) ? null : goTo(belief, belief.placeOf(heater)!) ?? `activate ${heater}`,
  );
}

function cool(belief: Belief, options: PlanOptions): PlanStep {
  return toDevice(
    belief,
    options,
    "freezer",
    `cool ${belief.goal.target} with freezer`,
    () => belief.open.has("freezer") ? goTo(belief, belief.placeOf("freezer")!) ?? "close freezer" : null,
  );
}

/** Focuses on the substance, takes it to a device, makes that work by `start`, and waits. */
function toDevice(
  belief: Belief,
  options: PlanOptions,
  device: string,
  subgoal: string,
  start: () => string | null,
): PlanStep {
  const { target } = belief.goal;
  const [vessel] = belief.vesselsOf(target);
  if (vessel === undefined) return search(belief, substances[target]?.homes ?? {});
  const focused = focus(belief, vessel, target, options);
  if (focused !== null) return focused;
  if (belief.at.get(vessel) !== device) return { ...carry(belief, vessel, device, "place"), subgoal };
  const action = options.skipActivate ? null : start();
  return action === null ? wait : { action, subgoal, kind: "activate" };
}

function measure(belief: Belief, options: PlanOptions): PlanStep {
  const { target: vessel, yes, no } = belief.goal;
  if (!belief.at.has(vessel)) return search(belief, thingTypes[vessel].homes);
  const focused = focus(belief, vessel, vessel, options);
  if (focused !== null) return focused;
  if (belief.reading === null && !options.skipTest) {
    if (!belief.at.has("thermometer")) return search(belief, thingTypes.thermometer.homes);
    const subgoal = `use thermometer on ${vessel}`;
    const near = belief.inScope("thermometer") && belief.inScope(vessel);
    const before = near || belief.isCarried("thermometer")
      ? reach(belief, vessel)
      : reach(belief, "thermometer") ?? "pick up thermometer";
    return towards("measure", before, subgoal);
  }
  return carry(belief, vessel, (belief.reading ?? 0) > threshold / 10 ? yes : no, "box");
}

function test(belief: Belief, options: PlanOptions): PlanStep {
  const { target, yes, no } = belief.goal;
  if (!belief.at.has(target)) return search(belief, thingTypes[target].homes);
  const focused = focus(belief, target, target, options);
  if (focused !== null) return focused;
  if (belief.lit === null && !options.skipTest) return testCircuit(belief);
  return carry(belief, target, belief.lit === true ? yes : no, "box");
}

function find(belief: Belief, options: PlanOptions): PlanStep {
  const { kind, yes } = belief.goal;
  const living = kind === "find_living_thing";
  const fits = [...belief.at.keys()].filter((thing) => !isHolder(thing) && isLiving(thing) === living);
  const rank = (thing: string) => (belief.isCarried(thing) ? 0 : belief.inScope(thing) ? 1 : 2);
  const [nearest] = fits.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  const thing = belief.focus ?? nearest;
  if (thing === undefined) return search(belief, living ? { garden: 8, greenhouse: 8 } : {});
  return focus(belief, thing, belief.nameOf(thing), options) ?? carry(belief, thing, yes, "box");
}

function grow(belief: Belief, options: PlanOptions): PlanStep {
  const { target } = belief.goal;
  if (!belief.at.has(target)) return search(belief, thingTypes[target].homes);
  const name = belief.names.get(target) ?? `${target} ${stages[0]}`;
  return focus(belief, target, name, options) ?? growPlant(belief, options.skipWater === true) ?? wait;
}

const plans: Readonly<Record<TaskKind, Plan>> = {
  boil: heat,
  melt: heat,
  freeze: cool,
  measure_temperature: measure,
  find_living_thing: find,
  find_non_living_thing: find,
  test_conductivity: test,
  grow_plant: grow,
  mix_paint: (belief, options) => {
    const { target } = belief.goal;
    const [done] = belief.vesselsOf(`${target} paint`);
    if (done !== undefined) return focus(belief, done, `${target} paint`, options) ?? wait;
    return mixPaint(belief, options.skipMix === true) ?? wait;
  },
};
