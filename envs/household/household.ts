import type { EpisodeVerdict, Snapshot, Task, TextEnv, Turn } from "../env.ts";
import { noEpisode } from "../snapshot/no_episode.ts";
import { readSnapshot } from "../snapshot/read_snapshot.ts";
import type { State } from "../pddl/state.ts";
import { stateFromJson, stateToJson } from "../pddl/state_json.ts";
import { fingerprint } from "../text_game/fingerprint.ts";
import { type LoadedTask, loadTask } from "./load_task.ts";
import { oracle } from "./oracle.ts";
import { Room } from "./room.ts";
import { countedVerdict, type History, verdict } from "./verdict.ts";

const snapshotVersion = 1;

interface Situation {
  readonly task: Task;
  readonly loaded: LoadedTask;
  readonly state: State;
  readonly turns: number;
  readonly history: History;
  readonly turn: Turn;
}

/**
 * ALFWorld-like household games, generated or official. Any text is a valid
 * action: what is no command is answered `Nothing happens.`, changes nothing and
 * takes a turn. The reward is 1 on the winning turn, else 0.
 */
export class Household implements TextEnv {
  #now: Situation | null = null;

  /** @throws EnvError or FileError if the task's game cannot be made. */
  reset(task: Task): Turn {
    const loaded = loadTask(task);
    const state = loaded.game.world.start;
    const history = { seen: false, taken: false };
    const now = { task, loaded, state, turns: 0, history };
    this.#now = { ...now, turn: this.#turn(now, loaded.game.intro(), 0) };
    return this.#now.turn;
  }

  step(action: string): Turn {
    const now = this.#current("step");
    if (now.turn.done) return { ...now.turn, reward: 0 };
    const { state, observation } = now.loaded.game.step(now.state, action);
    const next = { ...now, state, turns: now.turns + 1, history: remember(now, state, observation) };
    this.#now = { ...next, turn: this.#turn(next, observation, 1) };
    return this.#now.turn;
  }

  snapshot(): Snapshot {
    const { task, state, turns, history, turn } = this.#current("snapshot");
    return {
      version: snapshotVersion,
      task: { id: task.id, kind: task.kind, payload: task.payload },
      turns,
      seen: history.seen,
      taken: history.taken,
      observation: turn.observation,
      reward: turn.reward,
      state: stateToJson(state),
    };
  }

  /** @throws EnvError if the snapshot is of another version or no snapshot of its task. */
  restore(snapshot: Snapshot): Turn {
    const { task, turns, saved, fail } = readSnapshot("household", snapshotVersion, snapshot);
    const { observation, reward } = saved;
    if (typeof observation !== "string" || typeof reward !== "number") {
      throw fail("the snapshot lacks its observation or reward");
    }
    const loaded = loadTask(task);
    let state: State;
    try {
      state = stateFromJson(saved.state, loaded.game.world.start);
    } catch (error) {
      throw fail((error as Error).message);
    }
    const history = { seen: saved.seen === true, taken: saved.taken === true };
    const now = { task, loaded, state, turns, history };
    this.#now = { ...now, turn: this.#turn(now, observation, reward) };
    return this.#now.turn;
  }

  fingerprint(): string {
    const { loaded, state } = this.#current("fingerprint");
    return fingerprint(loaded.game, state);
  }

  oracle(): string[] {
    const { loaded, state } = this.#current("oracle");
    return loaded.goal ? oracle(loaded.game, state, loaded.goal) : [];
  }

  feedback(): string {
    const { loaded, state, history } = this.#current("feedback");
    return verdict(loaded.goal, new Room(loaded.game, state), history);
  }

  verdict(): EpisodeVerdict {
    return countedVerdict(this.feedback());
  }

  #turn(now: Omit<Situation, "turn">, observation: string, reward: number): Turn {
    const { game, maxTurns } = now.loaded;
    const won = game.world.won(now.state);
    const truncated = !won && now.turns >= maxTurns;
    return {
      observation,
      admissible: [...game.commands(now.state).keys()],
      reward: won ? reward : 0,
      score: won ? 1 : 0,
      done: won || truncated,
      won,
      truncated,
    };
  }

  #current(operation: string): Situation {
    if (this.#now) return this.#now;
    throw noEpisode("household", operation);
  }
}

function remember({ loaded, history }: Situation, state: State, observation: string): History {
  const { goal, game } = loaded;
  if (goal === null || (history.seen && history.taken)) return history;
  const seen = history.seen || new RegExp(`\\b${goal.target} \\d`).test(observation);
  const room = new Room(game, state);
  const held = history.taken ? null : room.held();
  return { seen, taken: history.taken || (held !== null && room.things(goal.target).includes(held)) };
}
