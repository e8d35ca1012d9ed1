import type { Split } from "../../env.ts";
import type { GameFile } from "../../text_game/game_file.ts";
import { Rng, seedPath } from "../../../stages/seed.ts";
import { receptacleTypes } from "../catalog.ts";
import { type Goal, goalSentence, type TaskKind, taskKinds } from "../goal.ts";
import { householdDomain } from "./_domain.ts";
import { householdGrammar, taskSlot } from "./_grammar.ts";
import { goals, type Level } from "./goals.ts";
import { type Layout, layout } from "./layout.ts";
import { problemText } from "./problem_text.ts";

/** Changes whenever the same coordinates give another game. */
export const generatorVersion = 1;

/** Relative frequencies of the task types; a missing one is 0. */
export type KindWeights = Readonly<Partial<Record<TaskKind, number>>>;

/** The coordinates of a game: with the generator's version, all that it depends on. */
export interface GameCoordinates {
  readonly split: Split;
  readonly index: number;
  readonly level: Level;
  /** Default: {@link defaultKinds}. */
  readonly kinds?: KindWeights;
}

/** A generated game. */
export interface GeneratedGame {
  readonly goal: Goal;
  readonly layout: Layout;
  readonly file: GameFile;
}

/** Frequencies of the task types where none are given: plain placing more often at levels 0 and 1. */
export function defaultKinds(level: Level): KindWeights {
  const [put, ...rest] = level <= 1 ? [3, 2, 2, 2, 1, 1] : [1, 2, 2, 2, 1, level];
  return Object.fromEntries(taskKinds.map((kind, i) => [kind, i === 0 ? put : rest[i - 1]]));
}

/**
 * A solvable game in ALFWorld's format, with this household's rules. The same
 * coordinates always give the same game; the (task type, target, destination)
 * triples of the splits are disjoint.
 *
 * @throws RangeError if the index is no natural number or no task type has a goal in the split.
 */
export function generateGame({ split, index, level, kinds }: GameCoordinates): GeneratedGame {
  if (!Number.isSafeInteger(index) || index < 0) {
    throw new RangeError(`Cannot generate a game: index ${index} is no natural number`);
  }
  const rng = new Rng(seedPath("household", generatorVersion, split, level, index));
  const goal = drawGoal(rng.fork("goal"), split, level, kinds ?? defaultKinds(level));
  const room = layout(goal, level, rng.fork("layout"));
  const variant = level >= 2 && rng.fork("sentence").chance(0.5) ? 1 : 0;
  return {
    goal,
    layout: room,
    file: {
      pddl_domain: householdDomain,
      grammar: householdGrammar.replace(taskSlot, goalSentence(goal, variant)),
      pddl_problem: problemText(goal, room, `${split}_${level}_${index}`),
    },
  };
}

function drawGoal(rng: Rng, split: Split, level: Level, kinds: KindWeights): Goal {
  const unknown = Object.keys(kinds).find((kind) => !(taskKinds as readonly string[]).includes(kind));
  if (unknown !== undefined) {
    throw new RangeError(
      `Cannot generate a game: no task type ${unknown}; there are ${taskKinds.join(", ")}`,
    );
  }
  const possible = taskKinds.filter((kind) => (kinds[kind] ?? 0) > 0 && goals(kind, level, split).length > 0);
  if (possible.length === 0) {
    throw new RangeError(
      `Cannot generate a game: no task type of ${JSON.stringify(kinds)} has goals in ${split}`,
    );
  }
  const kind = rng.weighted(possible, possible.map((k) => kinds[k]!));
  const pool = goals(kind, level, split);
  // Harder levels more often end at a receptacle that must be opened.
  const shut = pool.filter((g) => receptacleTypes[g.destination]?.openable);
  return shut.length > 0 && rng.chance([0, 0, 0.4, 0.7][level]) ? rng.pick(shut) : rng.pick(pool);
}
