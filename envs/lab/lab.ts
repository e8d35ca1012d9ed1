import { hash32 } from "../../stages/seed.ts";
import type { Json, Snapshot, Task, TextEnv, Turn } from "../env.ts";
import { noEpisode } from "../snapshot/no_episode.ts";
import { readSnapshot } from "../snapshot/read_snapshot.ts";
import { goalSentence } from "./goal.ts";
import { type LoadedLab, loadTask } from "./load_task.ts";
import { oracle } from "./oracle.ts";
import { describeRoom } from "./world/describe.ts";
import type { LabState } from "./world/lab_state.ts";
import type { LabWorld } from "./world/lab_world.ts";
import { admissible, perform } from "./world/perform.ts";
import { isWon, points, verdict } from "./world/progress.ts";
import { readState } from "./world/read_state.ts";

const snapshotVersion = 1;

interface Situation {
  readonly task: Task;
  readonly loaded: LoadedLab;
  readonly state: LabState;
  readonly turns: number;
  readonly turn: Turn;
}

/**
 * A small science lab in the manner of ScienceWorld. Any text is a valid action:
 * what is no command is answered `No known action matches that input.`, takes a turn
 * and no time. The score is the points of the sub-goals reached over 100, -1 after a
 * wrong focus or answer, 1 exactly if the episode is won; the reward is its change.
 */
export class Lab implements TextEnv {
  readonly #lists: boolean;
  #now: Situation | null = null;

  /** `lists`: turns hold the list of admissible commands, which costs most of a step. */
  constructor({ lists = true }: { readonly lists?: boolean } = {}) {
    this.#lists = lists;
  }

  /** @throws EnvError if the task's lab cannot be made. */
  reset(task: Task): Turn {
    const loaded = loadTask(task);
    const { world } = loaded;
    const observation = [
      `Your task is to ${goalSentence(world.goal)}.`,
      `${world.teleport ? "You can teleport to" : "There are"} ${world.rooms.join(", ")}.`,
      describeRoom(world, world.start),
    ].join(" ");
    const now = { task, loaded, state: world.start, turns: 0 };
    this.#now = { ...now, turn: this.#turn(now, observation, 0) };
    return this.#now.turn;
  }

  step(action: string): Turn {
    const now = this.#current("step");
    if (now.turn.done) return { ...now.turn, reward: 0 };
    const { world } = now.loaded;
    const { state, observation } = perform(world, now.state, action);
    const next = { ...now, state, turns: now.turns + 1 };
    this.#now = {
      ...next,
      turn: this.#turn(next, observation, (points(world, state) - points(world, now.state)) / 100),
    };
    return this.#now.turn;
  }

  snapshot(): Snapshot {
    const { task, state, turns, turn } = this.#current("snapshot");
    return {
      version: snapshotVersion,
      task: { id: task.id, kind: task.kind, payload: task.payload },
      turns,
      observation: turn.observation,
      reward: turn.reward,
      state: state as unknown as Json,
    };
  }

  /** @throws EnvError if the snapshot is of another version or no snapshot of its task. */
  restore(snapshot: Snapshot): Turn {
    const { task, turns, saved, fail } = readSnapshot("lab", snapshotVersion, snapshot);
    const { observation, reward } = saved;
    if (typeof observation !== "string" || typeof reward !== "number") {
      throw fail("the snapshot lacks its observation or reward");
    }
    const loaded = loadTask(task);
    const state = readState(saved.state, loaded.world, fail);
    const now = { task, loaded, state, turns };
    this.#now = { ...now, turn: this.#turn(now, observation, reward) };
    return this.#now.turn;
  }

  fingerprint(): string {
    const { loaded, state } = this.#current("fingerprint");
    const { start: _, ...fixed } = loaded.world;
    const text = JSON.stringify([fixed, state]);
    return ["a", "b"].map((salt) => hash32(salt + text).toString(16).padStart(8, "0")).join("");
  }

  oracle(): string[] {
    const { loaded, state } = this.#current("oracle");
    return oracle(loaded.world, state);
  }

  feedback(): string {
    const { loaded, state } = this.#current("feedback");
    return verdict(loaded.world, state);
  }

  /** What never changes and what is now the case, for tests and tools. */
  get situation(): { readonly world: LabWorld; readonly state: LabState } {
    const { loaded, state } = this.#current("situation");
    return { world: loaded.world, state };
  }

  #turn(
    { loaded, state, turns }: Omit<Situation, "turn">,
    observation: string,
    reward: number,
  ): Turn {
    const { world, maxTurns } = loaded;
    const won = isWon(world, state);
    const lost = state.lost !== null;
    const truncated = !won && !lost && turns >= maxTurns;
    return {
      observation,
      ...(this.#lists ? { admissible: won || lost ? [] : admissible(world, state) } : {}),
      reward,
      score: points(world, state) / 100,
      done: won || lost || truncated,
      won,
      truncated,
    };
  }

  #current(operation: string): Situation {
    if (this.#now) return this.#now;
    throw noEpisode("lab", operation);
  }
}
