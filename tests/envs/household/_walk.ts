import type { Task, Turn } from "../../../envs/env.ts";
import { Household } from "../../../envs/household/household.ts";
import { householdTasks } from "../../../envs/household/tasks.ts";
import { Rng } from "../../../stages/seed.ts";

/** A generated task; a long turn limit keeps random walks going. */
export function taskAt(level: number, index: number, maxTurns = 1000): Task {
  return householdTasks({ level, maxTurns }).task("train", index) as Task;
}

/** A fresh episode. */
export function start(task: Task): { env: Household; first: Turn } {
  const env = new Household();
  return { env, first: env.reset(task) };
}

const nonsense = [
  "",
  "Look",
  "go to",
  "go to cabinet 9",
  "take potato 1 from",
  "open fridge 1 now",
  "\u0000\ud800 (",
  "go to {r}",
];

/** One action of a walk: mostly commands, now and then a text that is none. */
export function drawAction(turn: Turn, rng: Rng): string {
  const commands = turn.admissible!;
  if (rng.chance(0.1)) return rng.pick(nonsense);
  const rare = commands.filter((c) => !c.startsWith("go to"));
  return rng.pick(rng.chance(0.6) ? rare : commands);
}

/** Plays a seeded random walk and calls `visit` after each step. */
export function walk(
  env: Household,
  first: Turn,
  seed: string,
  steps: number,
  visit: (action: string, turn: Turn, before: Turn) => void,
): void {
  const rng = new Rng(seed);
  let turn = first;
  for (let i = 0; i < steps && !turn.done; i++) {
    const action = drawAction(turn, rng);
    const before = turn;
    turn = env.step(action);
    visit(action, turn, before);
  }
}
