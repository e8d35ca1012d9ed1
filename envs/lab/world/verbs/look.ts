import { isHolder, isOpenable, roleOf } from "../../catalog.ts";
import { goalSentence } from "../../goal.ts";
import { phaseOf } from "../../substances.ts";
import {
  describeInside,
  describeInventory,
  describePortion,
  describeRoom,
  describeThing,
} from "../describe.ts";
import { withItem } from "../lab_state.ts";
import { contentsOf, isReachable, referentName } from "../scope.ts";
import { temperatures } from "../tick.ts";
import { does, refuses, tells, type Verb } from "./verb.ts";

/** Commands that tell something; only the thermometer and waiting take time. */
export const lookVerbs: readonly Verb[] = [
  {
    word: "look around",
    takes: "nothing",
    run: (world, state) => tells(state, describeRoom(world, state)),
  },
  { word: "inventory", takes: "nothing", run: (_, state) => tells(state, describeInventory(state)) },
  {
    word: "task",
    takes: "nothing",
    run: ({ goal }, state) => tells(state, `Your task is to ${goalSentence(goal)}.`),
  },
  { word: "wait", takes: "nothing", run: (_, state) => ({ state, text: "Time passes.", ticks: 10 }) },
  { word: "wait1", takes: "nothing", run: (_, state) => does(state, "Time passes.") },
  {
    word: "examine",
    takes: "referent",
    run: (_, state, { thing, portion }) =>
      tells(state, portion === undefined ? describeThing(state, thing) : describePortion(portion)),
  },
  {
    word: "look in",
    takes: "referent",
    first: ({ thing, portion }) => portion === undefined && (isHolder(thing) || roleOf(thing) === "vessel"),
    run: (_, state, { thing, portion }) => {
      if (portion !== undefined || !(isHolder(thing) || roleOf(thing) === "vessel")) {
        return refuses("You cannot look in that.");
      }
      if (isOpenable(thing) && !isReachable(state, thing)) return refuses(`The ${thing} is closed.`);
      return tells(state, describeInside(state, thing));
    },
  },
  {
    word: "use",
    between: "on",
    takes: "referent",
    first: ({ thing }) => thing === "thermometer",
    run: ({ goal }, state, a, { thing, portion }) => {
      if (a.thing !== "thermometer") {
        return refuses(`You cannot use the ${referentName(state, a)} like that.`);
      }
      const reading = (portion ?? contentsOf(state, thing)[0])?.temperature ?? temperatures.room;
      const found = thing === goal.target && goal.kind === "measure_temperature";
      const after = found ? { ...state, found: withItem(state.found, "measured", true) } : state;
      return does(after, `The thermometer reads ${Math.round(reading / 10)} degrees.`);
    },
  },
  {
    word: "focus on",
    takes: "referent",
    run: (_, state, referent) => {
      const on = referent.portion?.substance ?? referent.thing;
      return does({ ...state, focus: on }, `You focus on the ${referentName(state, referent)}.`);
    },
  },
];

/** Whether a portion can be poured. */
export function isLiquid(substance: string, temperature: number): boolean {
  return phaseOf(substance, temperature) === "liquid";
}
