import { Lab } from "../../../envs/lab/lab.ts";
import { type LabTaskOptions, labTasks } from "../../../envs/lab/lab_tasks.ts";
import type { Task, Turn } from "../../../envs/env.ts";
import { Rng } from "../../../stages/seed.ts";

/** A generated task; a long turn limit keeps random walks going. */
export function taskAt(level: number, index: number, more: Partial<LabTaskOptions> = {}): Task {
  return labTasks({ level, maxTurns: 1000, ...more }).task("train", index) as Task;
}

/** A fresh episode. */
export function start(task: Task): { env: Lab; first: Turn } {
  const env = new Lab();
  return { env, first: env.reset(task) };
}

const nonsense = [
  "",
  "Look around",
  "go to",
  "go to moon",
  "move pan to",
  "pour into",
  "\u0000\ud800 (",
  "7",
];

/** One action of a walk: mostly commands that change something, now and then a text that is none. */
export function drawAction(turn: Turn, rng: Rng): string {
  const commands = turn.admissible!;
  if (rng.chance(0.1) || commands.length === 0) return rng.pick(nonsense);
  const doing = commands.filter((c) => !/^(examine|look|task|inventory|close|wait)/.test(c));
  // A wrong focus ends the episode at once.
  const safe = doing.filter((c) => !c.startsWith("focus"));
  return rng.pick(rng.chance(0.9) && safe.length > 0 ? safe : commands);
}

/** Plays a seeded random walk and calls `visit` after each step. */
export function walk(
  env: Lab,
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
