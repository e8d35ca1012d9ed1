import { isHolder, isLiving, stages } from "../catalog.ts";
import { type Goal, type TaskKind, threshold } from "../goal.ts";
import { ingredients, partsOf } from "../paints.ts";
import { phaseOf } from "../substances.ts";
import { isLit } from "./circuit.ts";
import { agent, type LabState, type Portion } from "./lab_state.ts";
import type { LabWorld } from "./lab_world.ts";
import { roomOf } from "./scope.ts";
import { surroundings } from "./tick.ts";

/** A condition of a task. */
export interface SubGoal {
  /** Ends `Failure: not ...`. */
  readonly name: string;
  /** Points of 100. */
  readonly points: number;
  readonly holds: (state: LabState) => boolean;
}

/** A task's ordered sub-goals, worth 90 points, and an optional hint, worth 10. */
export interface Rules {
  readonly ordered: readonly SubGoal[];
  readonly hint: SubGoal;
  /** Whether a focus on a thing or on a substance's name is right. */
  readonly mayFocus: (state: LabState, on: string) => boolean;
  /** Whether moving a thing into a holder answers the task wrongly. */
  readonly isWrongAnswer: (thing: string, holder: string) => boolean;
}

const subGoals = (...conditions: readonly (readonly [string, number, SubGoal["holds"]])[]): SubGoal[] =>
  conditions.map(([name, points, holds]) => ({ name, points, holds }));

/** The rules of a world's task. */
export function rulesOf(world: LabWorld): Rules {
  return makers[world.goal.kind](world.goal, world);
}

const focused: readonly [string, number, SubGoal["holds"]] = ["focused", 20, ({ focus }) => focus !== null];
const never = () => false;

const makers: Readonly<Record<TaskKind, (goal: Goal, world: LabWorld) => Rules>> = {
  boil: (goal) => matter(goal.target, "heater", ["heated", "boiled"], "gas"),
  melt: (goal) => matter(goal.target, "heater", ["heated", "melted"], "liquid"),
  freeze: (goal) => matter(goal.target, "freezer", ["cooled", "frozen"], "solid"),
  measure_temperature: ({ target, yes, no }, { start }) => {
    const above = start.contents[target][0].temperature > threshold;
    return {
      ordered: subGoals(
        focused,
        ["measured", 30, ({ found }) => found.includes("measured")],
        ["in box", 40, ({ at }) => at[target] === (above ? yes : no)],
      ),
      hint: { name: "thermometer", points: 10, holds: ({ at }) => at.thermometer === agent },
      mayFocus: ({ contents }, on) => on === target || contents[target].some((p) => p.substance === on),
      isWrongAnswer: (thing, holder) => thing === target && holder === (above ? no : yes),
    };
  },
  test_conductivity: ({ target, yes, no }, { start }) => {
    const conducts = isLit(testLoop(start, target));
    return {
      ordered: subGoals(
        focused,
        ["tested", 30, ({ found }) => found.includes("tested")],
        ["in box", 40, ({ at }) => at[target] === (conducts ? yes : no)],
      ),
      hint: {
        name: "at the battery",
        points: 10,
        holds: (state) => roomOf(state, target) === roomOf(state, "battery"),
      },
      mayFocus: (_, on) => on === target,
      isWrongAnswer: (thing, holder) => thing === target && holder === (conducts ? no : yes),
    };
  },
  find_living_thing: (goal) => find(goal, true),
  find_non_living_thing: (goal) => find(goal, false),
  grow_plant: ({ target, yes: pot, no: stage }) => ({
    ordered: subGoals(
      focused,
      ["planted", 20, ({ at }) => at[target] === pot],
      ["watered", 20, ({ moisture, growth }) => moisture[pot] > 0 || growth[target].stage > 0],
      ["grown", 30, ({ growth }) => growth[target].stage >= (stages as readonly string[]).indexOf(stage)],
    ),
    hint: { name: "seed in hand", points: 10, holds: ({ at }) => at[target] === agent },
    mayFocus: (_, on) => on === target,
    isWrongAnswer: never,
  }),
  mix_paint: ({ target }) => {
    const wanted = `${target} paint`;
    const has = (portions: readonly Portion[]) => portions.some((p) => p.substance === wanted);
    return {
      ordered: subGoals(
        [
          "poured",
          30,
          ({ contents }) => Object.values(contents).some((p) => has(p) || holdsParts(p, target)),
        ],
        ["mixed", 30, ({ contents }) => Object.values(contents).some(has)],
        ["focused", 30, ({ focus }) => focus === wanted],
      ),
      hint: {
        name: "two paints",
        points: 10,
        holds: ({ contents }) => Object.values(contents).some((p) => p.length > 1),
      },
      mayFocus: (_, on) => on === wanted,
      isWrongAnswer: never,
    };
  },
};

function matter(
  target: string,
  device: "heater" | "freezer",
  names: readonly [string, string],
  phase: string,
): Rules {
  const some = (state: LabState, holds: (portion: Portion, vessel: string) => boolean) =>
    Object.keys(state.contents).some((vessel) =>
      state.contents[vessel].some((p) => p.substance === target && holds(p, vessel))
    );
  return {
    ordered: subGoals(
      focused,
      [names[0], 30, (state) => some(state, (_, vessel) => surroundings(state, vessel) === device)],
      [names[1], 40, (state) => some(state, (p) => phaseOf(target, p.temperature) === phase)],
    ),
    hint: {
      name: "in hand",
      points: 10,
      holds: (state) => some(state, (_, vessel) => state.at[vessel] === agent),
    },
    mayFocus: (_, on) => on === target,
    isWrongAnswer: never,
  };
}

function find({ yes }: Goal, living: boolean): Rules {
  return {
    ordered: subGoals(
      ["focused", 40, focused[2]],
      ["in box", 50, ({ at, focus }) => focus !== null && at[focus] === yes],
    ),
    hint: { name: "in hand", points: 10, holds: ({ at, focus }) => focus !== null && at[focus] === agent },
    mayFocus: (state, on) => {
      if (!Object.hasOwn(state.at, on)) return false;
      return !isHolder(on) && isLiving(on) === living;
    },
    isWrongAnswer: never,
  };
}

/** The paints of a colour stand together in a vessel, unmixed. */
function holdsParts(portions: readonly Portion[], colour: string): boolean {
  const [red, yellow, blue] = [0, 1, 2].map((i) => portions.reduce((sum, p) => sum + (p.parts?.[i] ?? 0), 0));
  const parts = partsOf(colour);
  const total = (red + yellow + blue) / ingredients(colour).length;
  return total > 0 && [red, yellow, blue].every((mass, i) => mass === parts[i] * total);
}

/** A loop of the battery, the light bulb and one thing. */
function testLoop(state: LabState, thing: string): LabState {
  return { ...state, wires: [["battery", "light bulb"], ["battery", thing], ["light bulb", thing]] };
}
