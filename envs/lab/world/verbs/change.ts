import { isSwitchable, roleOf, standIns, thingTypes } from "../../catalog.ts";
import { paintName, type Parts, partsOf } from "../../paints.ts";
import { connectedTo, disconnected, lightText, loop } from "../circuit.ts";
import { agent, type LabState, type Portion, withEntry, withItem } from "../lab_state.ts";
import type { LabWorld } from "../lab_world.ts";
import { contentsOf, nameOf, type Referent, referentName } from "../scope.ts";
import { isLiquid } from "./look.ts";
import { does, type Outcome, refuses, type Verb } from "./verb.ts";

const switches = ({ thing, portion }: Referent) => portion === undefined && isSwitchable(thing);
const electric = ["battery", "bulb", "wire", "switch", "object"];
const connects = ({ thing, portion }: Referent) => portion === undefined && electric.includes(roleOf(thing));
const isVessel = ({ thing, portion }: Referent) => portion === undefined && roleOf(thing) === "vessel";
const isPot = ({ thing, portion }: Referent) => portion === undefined && roleOf(thing) === "pot";

/** Commands that change what things are. */
export const changeVerbs: readonly Verb[] = [
  { word: "activate", takes: "referent", first: switches, run: (w, s, a) => switched(w, s, a, true) },
  { word: "deactivate", takes: "referent", first: switches, run: (w, s, a) => switched(w, s, a, false) },
  {
    word: "pour",
    between: "into",
    takes: "referent",
    first: ({ portion }) => portion !== undefined,
    second: (b) => isVessel(b) || isPot(b),
    run: (_, state, a, b) => pour(state, a, b),
  },
  {
    word: "mix",
    takes: "referent",
    first: isVessel,
    run: ({ goal }, state, a) => {
      const contents = contentsOf(state, a.thing);
      if (a.portion !== undefined || contents.length < 2) return refuses("There is nothing to mix.");
      const mixed = contents.reduce(joined);
      const after = { ...state, contents: withEntry(state.contents, a.thing, [mixed]) };
      const spoilt = goal.kind === "mix_paint" && !isOnTheWay(mixed, goal.target);
      return does(spoilt ? { ...after, lost: "wrong mix" } : after, `The paints become ${mixed.substance}.`);
    },
  },
  {
    word: "connect",
    between: "to",
    takes: "referent",
    first: connects,
    second: connects,
    run: ({ goal }, state, a, b) => {
      if (!connects(a) || !connects(b) || a.thing === b.thing) return refuses("You cannot connect these.");
      if (![a, b].some(({ thing }) => ["wire", "switch"].includes(roleOf(thing)))) {
        return refuses("One of them must be a wire.");
      }
      if (connectedTo(state, a.thing).includes(b.thing)) return refuses("They are connected.");
      const full = [a, b].find(({ thing }) => connectedTo(state, thing).length === 2);
      if (full !== undefined) return refuses(`The ${full.thing} is connected at both ends.`);
      const laid = [a, b].reduce(laidDown, state);
      const pair = a.thing < b.thing ? [a.thing, b.thing] as const : [b.thing, a.thing] as const;
      const wires = [...laid.wires, pair].sort((p, q) => p.join("|") < q.join("|") ? -1 : 1);
      const after = noted({ ...laid, wires }, goal.target);
      return does(after, `You connect the ${a.thing} to the ${b.thing}.${lightText(after)}`);
    },
  },
  {
    word: "disconnect",
    takes: "referent",
    first: connects,
    run: (_, state, a) => {
      const after = disconnected(state, a.thing);
      return after === state || a.portion !== undefined
        ? refuses("It is not connected.")
        : does(after, `You disconnect the ${a.thing}.`);
    },
  },
];

function switched({ broken, goal }: LabWorld, state: LabState, a: Referent, on: boolean): Outcome {
  if (!switches(a)) return refuses(`The ${referentName(state, a)} has no switch.`);
  if (state.on.includes(a.thing) === on) return refuses(`The ${a.thing} is ${on ? "on" : "off"}.`);
  if (on && broken.includes(a.thing)) {
    return does(state, `The ${a.thing} is broken. The ${standIns[a.thing]} works.`);
  }
  const after = noted({ ...state, on: withItem(state.on, a.thing, on) }, goal.target);
  const light = roleOf(a.thing) === "switch" ? lightText(after) : "";
  return does(after, `The ${a.thing} is now ${on ? "on" : "off"}.${light}`);
}

/** The state with the test noted if the target is part of a closed loop. */
function noted(state: LabState, target: string): LabState {
  const path = loop(state);
  if (path === null || !path.includes(target)) return state;
  if (path.includes("switch") && !state.on.includes("switch")) return state;
  return { ...state, found: withItem(state.found, "tested", true) };
}

/** What is carried is laid down to be connected. */
function laidDown(state: LabState, { thing }: Referent): LabState {
  return state.at[thing] === agent ? { ...state, at: withEntry(state.at, thing, state.room) } : state;
}

function pour(state: LabState, a: Referent, b: Referent): Outcome {
  const { portion } = a;
  if (portion === undefined) return refuses(`You cannot pour the ${nameOf(state, a.thing)}.`);
  if (!isLiquid(portion.substance, portion.temperature)) {
    return refuses(`The ${portion.substance} is not liquid.`);
  }
  const sealed = [a, b].find(({ thing }) => thingTypes[thing].insulated === true);
  if (sealed !== undefined) return refuses(`The ${sealed.thing} is sealed.`);
  const rest = contentsOf(state, a.thing).filter((other) => other !== portion);
  const emptied = { ...state, contents: withEntry(state.contents, a.thing, rest) };
  const text = `You pour the ${portion.substance} into the ${b.thing}.`;
  if (isPot(b)) {
    if (portion.substance !== "water") return refuses(`Only water goes into the ${b.thing}.`);
    const moisture = withEntry(state.moisture, b.thing, state.moisture[b.thing] + portion.mass);
    return does({ ...emptied, moisture }, text);
  }
  if (!isVessel(b) || a.thing === b.thing) return refuses("You cannot pour it there.");
  const there = contentsOf(state, b.thing);
  const same = there.find(({ substance }) => substance === portion.substance);
  const foreign = there.find(({ parts }) => (parts === undefined) || portion.parts === undefined);
  if (same === undefined && foreign !== undefined) {
    return refuses(`The ${b.thing} holds ${foreign.substance}.`);
  }
  const together: readonly Portion[] = same === undefined
    ? [...there, portion].sort((p, q) => p.substance < q.substance ? -1 : 1)
    : there.map((other) => other === same ? joined(same, portion) : other);
  return does({ ...emptied, contents: withEntry(emptied.contents, b.thing, together) }, text);
}

/** Two portions as one: masses and parts added, temperatures averaged by mass. */
function joined(a: Portion, b: Portion): Portion {
  const mass = a.mass + b.mass;
  const temperature = Math.round((a.temperature * a.mass + b.temperature * b.mass) / mass);
  if (a.parts === undefined || b.parts === undefined) return { substance: a.substance, mass, temperature };
  const parts: Parts = [a.parts[0] + b.parts[0], a.parts[1] + b.parts[1], a.parts[2] + b.parts[2]];
  return { substance: paintName(parts), mass, temperature, parts };
}

/** The mixture is the wanted paint, or one that the wanted one is made of. */
function isOnTheWay({ substance }: Portion, colour: string): boolean {
  const wanted = partsOf(colour);
  return substance !== "brown paint" &&
    partsOf(substance.replace(/ paint$/, "")).every((part, i) => part <= wanted[i]);
}
