import { Rng } from "../../../stages/seed.ts";
import type { Curriculum, Lesson } from "../../demonstrator.ts";
import type { LogLine, Snapshot, Task, TextEnv, Turn } from "../../env.ts";
import { Belief } from "../belief.ts";
import { diagnoseEpisode } from "./diagnose_episode.ts";
import { drawFlaws, type Flaws } from "./flaws.ts";
import { FlawedAgent } from "./flawed_agent.ts";

/** Share of failed episodes that are also restarted under somebody else's suggestion. */
const FOREIGN_SHARE = 0.6;

/**
 * Plays a task with a flawed demonstrator and diagnoses it. A failed episode is
 * also restarted at its pivot under the diagnosis' suggestion, and sometimes under
 * one that was made for another episode (`foreign`), which does not fit and changes
 * nothing: guidance must be read, not merely noticed. `env` is reset.
 */
export function demonstrate(
  env: SyncEnv,
  task: Task,
  curriculum: Curriculum,
  seed: string,
  foreign: () => string,
): readonly Lesson[] {
  const rng = new Rng(`demonstrate/${curriculum}/${seed}`);
  const flaws = drawFlaws(curriculum, rng);
  const [base, episode] = attempt(env, task, flaws, rng);
  if (base.diagnosis!.success) return [base];
  const lessons = [
    base,
    guidedRetry(env, base, episode, flaws, rng.fork("retry"), base.diagnosis!.suggestion),
  ];
  if (rng.chance(FOREIGN_SHARE)) {
    const suggestion = foreign();
    env.reset(task);
    if (suggestion !== "") {
      lessons.push(guidedRetry(env, base, episode, flaws, rng.fork("foreign"), suggestion));
    }
  }
  return lessons;
}

/** The suggestion that a task's diagnosis makes; "" if the episode succeeds. */
export function suggestionOf(env: SyncEnv, task: Task, curriculum: Curriculum, seed: string): string {
  const rng = new Rng(`demonstrate/${curriculum}/${seed}`);
  return attempt(env, task, drawFlaws(curriculum, rng), rng)[0].diagnosis!.suggestion;
}

function attempt(env: SyncEnv, task: Task, flaws: Flaws, rng: Rng): readonly [Lesson, Episode] {
  const first = env.reset(task);
  const belief = beliefAt(first.observation, []);
  const episode = playOut(env, first, new FlawedAgent(belief, flaws, rng.fork("base")));
  const diagnosis = diagnoseEpisode(first.observation, episode.log, episode.feedback);
  return [{ task, ...episode, from: 0, guidance: "", diagnosis }, episode];
}

/** A text environment whose operations return at once. */
export interface SyncEnv extends TextEnv {
  reset(task: Task): Turn;
  step(action: string): Turn;
  snapshot(): Snapshot;
  restore(snapshot: Snapshot): Turn;
}

interface Episode {
  readonly turns: readonly Turn[];
  readonly actions: readonly string[];
  readonly log: readonly LogLine[];
  /** State before each action. */
  readonly states: readonly Snapshot[];
  readonly feedback: string;
}

function playOut(env: SyncEnv, first: Turn, agent: FlawedAgent): Episode {
  const turns = [first];
  const actions: string[] = [];
  const states: Snapshot[] = [];
  for (let turn = first; !turn.done;) {
    states.push(env.snapshot());
    const action = agent.act();
    turn = env.step(action);
    agent.observe(action, turn.observation);
    actions.push(action);
    turns.push(turn);
  }
  const log = actions.map((action, k) => ({ action, observation: turns[k + 1].observation }));
  return { turns, actions, log, states, feedback: env.feedback() };
}

function guidedRetry(
  env: SyncEnv,
  base: Lesson,
  { log, states }: Episode,
  flaws: Flaws,
  rng: Rng,
  suggestion: string,
): Lesson {
  const { pivot } = base.diagnosis!;
  const belief = beliefAt(base.turns[0].observation, log.slice(0, pivot));
  const restored = env.restore(states[pivot]);
  const suffix = playOut(env, restored, new FlawedAgent(belief, flaws, rng, suggestion));
  return {
    task: base.task,
    turns: [...base.turns.slice(0, pivot), ...suffix.turns],
    actions: [...base.actions.slice(0, pivot), ...suffix.actions],
    from: pivot,
    guidance: suggestion,
    feedback: suffix.feedback,
  };
}

function beliefAt(first: string, log: readonly LogLine[]): Belief {
  const belief = Belief.start(first);
  if (belief === null) {
    throw new RangeError(`Cannot demonstrate: no household task in ${JSON.stringify(first)}`);
  }
  for (const { action, observation } of log) belief.update(action, observation);
  return belief;
}
