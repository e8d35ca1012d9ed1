import { isHolder, isOpenable, roleOf } from "../../catalog.ts";
import { disconnected } from "../circuit.ts";
import { describeInside, describeRoom } from "../describe.ts";
import { agent, door, type LabState, withEntry, withItem } from "../lab_state.ts";
import type { LabWorld } from "../lab_world.ts";
import { isReachable, type Referent, referentName } from "../scope.ts";
import { does, type Outcome, refuses, type Verb } from "./verb.ts";

const isPortable = ({ thing, portion }: Referent) => portion === undefined && !isHolder(thing);
const opens = ({ thing, portion }: Referent) => portion === undefined && isOpenable(thing);

/** Commands that move the agent or a thing, and what opens the way. */
export const moveVerbs: readonly Verb[] = [
  {
    word: "go to",
    takes: "room",
    run: (world, state, _a, _b, room) => {
      if (!world.neighbours[state.room].includes(room)) return refuses(`No door leads to the ${room}.`);
      if (!state.open.includes(door(state.room, room))) return refuses(`The door to the ${room} is closed.`);
      return arrive(world, state, room);
    },
  },
  {
    word: "teleport to",
    takes: "room",
    run: (world, state, _a, _b, room) => {
      if (!world.teleport) return refuses("You cannot teleport here.");
      return room === state.room ? refuses(`You are in the ${room}.`) : arrive(world, state, room);
    },
  },
  {
    word: "open door to",
    takes: "room",
    run: (world, state, _a, _b, room) => swing(world, state, room, true),
  },
  {
    word: "close door to",
    takes: "room",
    run: (world, state, _a, _b, room) => swing(world, state, room, false),
  },
  {
    word: "open",
    takes: "referent",
    first: opens,
    run: (_, state, a) => {
      if (!opens(a)) return refuses("That does not open.");
      if (isReachable(state, a.thing)) return refuses(`The ${a.thing} is open.`);
      const after = { ...state, open: withItem(state.open, a.thing, true) };
      return does(after, `You open the ${a.thing}. ${describeInside(after, a.thing)}`);
    },
  },
  {
    word: "close",
    takes: "referent",
    first: opens,
    run: (_, state, a) => {
      if (!opens(a)) return refuses("That does not close.");
      if (!isReachable(state, a.thing)) return refuses(`The ${a.thing} is closed.`);
      return does({ ...state, open: withItem(state.open, a.thing, false) }, `You close the ${a.thing}.`);
    },
  },
  {
    word: "pick up",
    takes: "referent",
    first: isPortable,
    run: (_, state, a) => {
      if (state.at[a.thing] === agent && isPortable(a)) return refuses("You carry that.");
      return moved(state, a, agent) ??
        does(placed(state, a.thing, agent), `You pick up the ${name(state, a)}.`);
    },
  },
  {
    word: "put down",
    takes: "referent",
    first: isPortable,
    run: (_, state, a) => {
      if (state.at[a.thing] !== agent) return refuses("You do not carry that.");
      return moved(state, a, state.room) ??
        does(placed(state, a.thing, state.room), `You put down the ${name(state, a)}.`);
    },
  },
  {
    word: "move",
    between: "to",
    takes: "referent",
    first: isPortable,
    second: ({ thing, portion }) => portion === undefined && isHolder(thing),
    run: (_, state, a, b) => {
      if (b.portion !== undefined || !isHolder(b.thing)) return refuses("Nothing can be put there.");
      if (!isReachable(state, b.thing)) return refuses(`The ${b.thing} is closed.`);
      if (state.at[a.thing] === b.thing && isPortable(a)) return refuses("It is there.");
      return moved(state, a, b.thing) ??
        does(placed(state, a.thing, b.thing), `You move the ${name(state, a)} to the ${b.thing}.`);
    },
  },
];

const name = referentName;

function arrive(world: LabWorld, state: LabState, room: string): Outcome {
  const after = { ...state, room };
  return does(after, describeRoom(world, after));
}

function swing(world: LabWorld, state: LabState, room: string, open: boolean): Outcome {
  if (!world.neighbours[state.room].includes(room)) return refuses(`No door leads to the ${room}.`);
  const key = door(state.room, room);
  const word = open ? "open" : "closed";
  if (state.open.includes(key) === open) return refuses(`The door to the ${room} is ${word}.`);
  const after = { ...state, open: withItem(state.open, key, open) };
  return does(after, `The door to the ${room} is now ${word}.`);
}

/** Why a thing cannot be moved to a holder, the floor or the hand; undefined if it can. */
function moved(state: LabState, { thing, portion }: Referent, to: string): Outcome | undefined {
  if (portion !== undefined) return refuses(`You cannot hold the ${portion.substance}.`);
  if (isHolder(thing)) return refuses(`The ${thing} is too heavy.`);
  const plant = roleOf(thing) === "plant";
  const pot = to !== agent && to !== state.room && roleOf(to) === "pot";
  if (pot && !plant) return refuses(`Only a plant goes into the ${to}.`);
  return undefined;
}

function placed(state: LabState, thing: string, parent: string): LabState {
  return disconnected({ ...state, at: withEntry(state.at, thing, parent) }, thing);
}
