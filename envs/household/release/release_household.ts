import type { EpisodeVerdict, Snapshot, Task, TextEnv, Turn } from "../../env.ts";
import { noEpisode } from "../../snapshot/no_episode.ts";
import { readRuledSnapshot, ruledSnapshot } from "../../snapshot/ruled_snapshot.ts";
import { Household } from "../household.ts";
import { isFault } from "./read_reply.ts";
import { releaseUser } from "./release_prompt.ts";

/** Turn limit of the release. */
export const releaseMaxTurns = 25;

/** Equal actions in a row that end an episode. */
const repetitions = 3;

/** What the rules need to know of an episode; plain JSON. */
interface Situation {
  readonly taskId: string;
  readonly task: string;
  readonly maxTurns: number;
  readonly turns: number;
  readonly history: readonly string[];
  /** A slip in a retry, which by the release's oddity ends nothing, but the history. */
  readonly slipped: boolean;
  readonly retry: boolean;
  /** Why the rules ended the episode, "" while they have not. */
  readonly stopped: string;
  readonly turn: Turn;
}

/**
 * The household by the rules of the R³L authors' ALFWorld workflow: 25 turns; a reply
 * of the wrong form, an action that is not admissible or the same action three times
 * in a row ends the episode without reward. The observation is the whole user message.
 *
 * `oddities`: as released, a restored episode (a retry) is not ended by a slip; from the
 * slip on its actions are no longer remembered.
 */
export class ReleaseHousehold implements TextEnv {
  readonly #inner = new Household();
  #now: Situation | null = null;

  constructor(readonly oddities = false) {}

  reset(task: Task): Turn {
    const first = this.#inner.reset(task);
    const { maxTurns } = task.payload as { readonly maxTurns: number };
    const sentence = /Your task is to:\s*(.+?)(?:\n|$)/i.exec(first.observation)?.[1].trim() ?? "";
    const begin = { taskId: task.id, task: sentence, maxTurns, turns: 0, history: [] };
    return this.#say({ ...begin, slipped: false, retry: false, stopped: "" }, first.observation, first);
  }

  step(action: string): Turn {
    const now = this.#current("step");
    if (now.turn.done) return { ...now.turn, reward: 0 };
    const next = { ...now, turns: now.turns + 1 };
    if (isFault(action)) return this.#slip(next, action, now.turn);
    const inner = this.#inner.step(action);
    if (!now.turn.admissible!.includes(action)) {
      return this.#slip(next, `Invalid action '${action}' not in admissible actions.`, inner);
    }
    return this.#go(next, action, inner.observation, inner);
  }

  snapshot(): Snapshot {
    const now = this.#current("snapshot");
    return ruledSnapshot(now, this.#inner.snapshot());
  }

  /** @throws EnvError if the snapshot is of another version or none of these rules. */
  restore(snapshot: Snapshot): Turn {
    const { now, inner } = readRuledSnapshot<Situation>("household", snapshot);
    this.#inner.restore(inner);
    this.#now = { ...now, retry: true };
    return this.#now.turn;
  }

  fingerprint(): string {
    const { turns, history, slipped, stopped } = this.#current("fingerprint");
    return JSON.stringify([this.#inner.fingerprint(), turns, history.slice(-repetitions), slipped, stopped]);
  }

  oracle(): string[] {
    return this.#current("oracle").turn.done ? [] : this.#inner.oracle();
  }

  /** The verdict in the release's words. */
  feedback(): string {
    const { stopped, turn, turns, maxTurns } = this.#current("feedback");
    if (stopped !== "") return stopped;
    const [done, within] = turn.won
      ? ["Task completed successfully", turns < maxTurns ? ", and satisfying" : ", but exceeded"]
      : ["Task not completed", turns < maxTurns ? ", but within" : ", and exceeded"];
    return `${done} (reward: ${turn.won ? 1 : 0}/1.0)${within} the step limit (${turns}/${maxTurns} steps)`;
  }

  /** What ended the episode, or the household's own verdict. */
  verdict(): EpisodeVerdict {
    const { stopped } = this.#current("verdict");
    if (stopped === "") return this.#inner.verdict();
    if (isFault(stopped)) return { outcome: "unparseable", category: "bad_format", answer: null };
    const category = stopped.startsWith("Repeated") ? "repeated" : "not_admissible";
    return { outcome: "wrong", category, answer: null };
  }

  /** An action that breaks a rule: the end, or in an odd retry an observation. */
  #slip(next: Situation, message: string, inner: Turn): Turn {
    const goesOn = this.oddities && next.retry;
    return this.#say({ ...next, ...(goesOn ? { slipped: true } : { stopped: message }) }, message, inner);
  }

  #go(next: Situation, action: string, observation: string, inner: Turn): Turn {
    const history = next.slipped ? next.history : [...next.history, action];
    const last = history.slice(-repetitions);
    if (last.length < repetitions || last.some((one) => one !== last[0])) {
      return this.#say({ ...next, history }, observation, inner);
    }
    const message = `Repeated invalid action ${last[0]} multiple times, task failed`;
    return this.#say({ ...next, history, stopped: message }, message, inner);
  }

  #say(next: Omit<Situation, "turn">, text: string, inner: Turn): Turn {
    const { task, history, turns: step, maxTurns, stopped } = next;
    const admissible = inner.admissible ?? [];
    const won = inner.won && stopped === "";
    const truncated = !won && stopped === "" && step >= maxTurns;
    const done = won || truncated || stopped !== "";
    const turn: Turn = {
      observation: done ? text : releaseUser({ observation: text, task, history, step, admissible }),
      admissible,
      reward: won ? inner.reward : 0,
      score: won ? 1 : 0,
      done,
      won,
      truncated,
    };
    this.#now = { ...next, turn };
    return turn;
  }

  #current(operation: string): Situation {
    if (this.#now) return this.#now;
    throw noEpisode("household", operation);
  }
}
