import { Rng } from "../stages/seed.ts";
import type { Curriculum, Demonstrate, Lesson } from "./demonstrator.ts";
import type { ExpertDiagnosis, LogLine, Snapshot, Task, TextEnv, Turn } from "./env.ts";

/** Share of failed episodes that are also restarted under somebody else's suggestion. */
const FOREIGN_SHARE = 0.6;

/** A text environment whose operations return at once. */
export interface SyncEnv extends TextEnv {
  reset(task: Task): Turn;
  step(action: string): Turn;
  snapshot(): Snapshot;
  restore(snapshot: Snapshot): Turn;
}

/** An agent that demonstrates; under guidance it is flawless until the suggested end is reached. */
export interface Player {
  act(): string;
  /** Learns what an action led to. */
  observe(action: string, observation: string): void;
}

/**
 * Makes the player of one episode from what the texts have shown so far: the
 * first observation and what followed. `guidance` is "" where there is none.
 */
export type MakePlayer = (first: string, log: readonly LogLine[], rng: Rng, guidance: string) => Player;

/** The parts of an environment that {@link demonstrate} puts together. */
export interface Demonstrator {
  readonly env: SyncEnv;
  /** Training task `index`. */
  readonly task: (index: number) => Task;
  /** Draws the flaws of an episode's player; base attempt and retries share them. */
  readonly cast: (curriculum: Curriculum, rng: Rng) => MakePlayer;
  readonly diagnose: (first: string, log: readonly LogLine[], feedback: string) => ExpertDiagnosis;
}

/**
 * Plays tasks with a flawed demonstrator and diagnoses them. A failed episode is
 * also restarted at its pivot under the diagnosis' suggestion, and sometimes under
 * one that was made for the next task's episode, which does not fit and changes
 * nothing: guidance must be read, not merely noticed.
 */
export function demonstrate(by: Demonstrator): Demonstrate {
  return (index, curriculum) => {
    const task = by.task(index);
    const { base, episode, make, rng } = attempt(by, task, curriculum, index);
    const { success, suggestion } = base.diagnosis;
    if (success) return [base];
    const retry = (label: string, guidance: string) =>
      guidedRetry(by, base, episode, make, rng.fork(label), guidance);
    const lessons: Lesson[] = [base, retry("retry", suggestion)];
    if (rng.chance(FOREIGN_SHARE)) {
      const { base: other } = attempt(by, by.task(index + 1), curriculum, index + 1);
      by.env.reset(task);
      if (other.diagnosis.suggestion !== "") lessons.push(retry("foreign", other.diagnosis.suggestion));
    }
    return lessons;
  };
}

type Diagnosed = Lesson & { readonly diagnosis: ExpertDiagnosis };

function attempt(by: Demonstrator, task: Task, curriculum: Curriculum, index: number) {
  const rng = new Rng(`demonstrate/${curriculum}/${index}`);
  const make = by.cast(curriculum, rng);
  const first = by.env.reset(task);
  const episode = playOut(by.env, first, make(first.observation, [], rng.fork("base"), ""));
  const diagnosis = by.diagnose(first.observation, episode.log, episode.feedback);
  const base: Diagnosed = { task, ...episode, from: 0, guidance: "", diagnosis };
  return { base, episode, make, rng };
}

interface Played {
  readonly turns: readonly Turn[];
  readonly actions: readonly string[];
  readonly log: readonly LogLine[];
  /** State before each action. */
  readonly states: readonly Snapshot[];
  readonly feedback: string;
}

function playOut(env: SyncEnv, first: Turn, player: Player): Played {
  const turns = [first];
  const actions: string[] = [];
  const states: Snapshot[] = [];
  for (let turn = first; !turn.done;) {
    states.push(env.snapshot());
    const action = player.act();
    turn = env.step(action);
    player.observe(action, turn.observation);
    actions.push(action);
    turns.push(turn);
  }
  const log = actions.map((action, k) => ({ action, observation: turns[k + 1].observation }));
  return { turns, actions, log, states, feedback: env.feedback() };
}

function guidedRetry(
  { env }: Demonstrator,
  base: Diagnosed,
  { log, states }: Played,
  make: MakePlayer,
  rng: Rng,
  guidance: string,
): Lesson {
  const { pivot } = base.diagnosis;
  const player = make(base.turns[0].observation, log.slice(0, pivot), rng, guidance);
  const suffix = playOut(env, env.restore(states[pivot]), player);
  return {
    task: base.task,
    turns: [...base.turns.slice(0, pivot), ...suffix.turns],
    actions: [...base.actions.slice(0, pivot), ...suffix.actions],
    from: pivot,
    guidance,
    feedback: suffix.feedback,
  };
}
