import type { EpisodeVerdict, Snapshot, Task, TextEnv, Turn } from "../../env.ts";
import { noEpisode } from "../../snapshot/no_episode.ts";
import { readRuledSnapshot, ruledSnapshot } from "../../snapshot/ruled_snapshot.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { pythonFloat } from "../python_text.ts";
import { Shop } from "../shop.ts";
import { checkAction } from "./check_action.ts";
import { badReply } from "./read_reply.ts";
import { releaseUser } from "./release_prompt.ts";

/** Turn limit of the release. */
export const releaseMaxTurns = 15;

/** Reward of an invalid action, and of an episode that the rules end. */
const FAILURE = -0.1;

/** What the rules need to know of an episode; plain JSON. */
interface Situation {
  readonly taskId: string;
  readonly turns: number;
  readonly maxTurns: number;
  readonly lastAction: string | null;
  /** Why the rules ended the episode, "" while they have not. */
  readonly stopped: string;
  readonly turn: Turn;
}

/**
 * The shop by the rules of the R³L authors' WebShop workflow. A reply of the wrong
 * form, and the same action twice in a row unless it searches or turns pages, end the
 * episode with reward −0.1. An action that the page does not offer is not carried out:
 * what is wrong with it is the observation, and the visit goes on.
 * A search needs the page with the search bar. The episode is worth its last turn: what
 * was bought, 0, or −0.1 if that was no valid action.
 * The observation is the whole user message.
 */
export class ReleaseShop implements TextEnv {
  readonly #inner: Shop;
  #now: Situation | null = null;

  constructor(given: Catalogue | null = null) {
    this.#inner = new Shop(given);
  }

  reset(task: Task): Turn {
    const first = this.#inner.reset(task);
    const { maxTurns } = task.payload as { readonly maxTurns: number };
    const begin = { taskId: task.id, turns: 0, maxTurns, lastAction: null, stopped: "" };
    return this.#say(begin, first, first.observation, 0);
  }

  step(action: string): Turn {
    const now = this.#current("step");
    if (now.turn.done) return { ...now.turn, reward: 0 };
    const next = { ...now, turns: now.turns + 1, lastAction: action };
    if (action === badReply) return this.#stop(next, badReply);
    if (action === now.lastAction && !/next|prev|search/i.test(action)) {
      return this.#stop(next, `Repeated invalid action ${action} multiple times, shopping task failed`);
    }
    const fault = checkAction(action, this.#inner.available());
    if (fault !== null) return this.#say(next, { ...now.turn, won: false }, fault, FAILURE);
    const inner = this.#inner.step(action);
    return this.#say(next, inner, inner.observation, inner.reward);
  }

  snapshot(): Snapshot {
    const now = this.#current("snapshot");
    return ruledSnapshot(now, this.#inner.snapshot());
  }

  /** @throws EnvError if the snapshot is of another version or none of these rules. */
  restore(snapshot: Snapshot): Turn {
    const { now, inner } = readRuledSnapshot<Situation>("shop", snapshot);
    this.#inner.restore(inner);
    this.#now = now;
    return now.turn;
  }

  fingerprint(): string {
    const { stopped, lastAction } = this.#current("fingerprint");
    return `${this.#inner.fingerprint()}/${JSON.stringify([stopped, lastAction])}`;
  }

  /** Commands with the search bar, which the rules ask for; in the form of replies. */
  oracle(): string[] {
    const { turn, turns, maxTurns } = this.#current("oracle");
    if (turn.done) return [];
    const commands = this.#inner.oracle();
    const away = commands[0]?.startsWith("search[") && !this.#inner.available().hasSearchBar;
    const all = away ? ["click[back to search]", ...commands] : commands;
    if (turns + all.length > maxTurns) return [];
    return all.map((command) => `<think>The next step.</think> <action>${command}</action>`);
  }

  /** The release's last message to the reflector. */
  feedback(): string {
    const { stopped, turn: { score }, turns, maxTurns } = this.#current("feedback");
    if (stopped !== "") return stopped;
    const steps = `(${turns}/${maxTurns} steps)`;
    const reward = `(reward: ${pythonFloat(score)}/1.0)`;
    const early = turns < maxTurns;
    if (score >= 1) {
      const limit = early ? "and satisfying the step limit" : "but exceeded the step limit";
      return `Shopping task completed successfully ${reward}, ${limit} ${steps}`;
    }
    return `Shopping task not completed ${reward}, ${
      early ? "but within" : "and exceeded"
    } the step limit ${steps}. ` +
      "It may not satisfy the Attribute Matching, Option Matching, or Price Matching requirements, please you " +
      "carefully check and ensure all requirements are satisfied.";
  }

  verdict(): EpisodeVerdict {
    const { stopped } = this.#current("verdict");
    if (stopped === "") return this.#inner.verdict();
    return stopped === badReply
      ? { outcome: "unparseable", category: "no_action", answer: null }
      : { outcome: "wrong", category: "repeated", answer: null };
  }

  /** The rules end the episode. */
  #stop(next: Omit<Situation, "turn"> & { readonly turn: Turn }, why: string): Turn {
    const turn = { ...next.turn, reward: FAILURE, score: FAILURE, done: true, won: false, truncated: false };
    this.#now = { ...next, stopped: why, turn };
    return turn;
  }

  #say(next: Omit<Situation, "turn">, inner: Turn, observation: string, reward: number): Turn {
    const over = !inner.done && next.turns >= next.maxTurns;
    const done = inner.done || over;
    const turn: Turn = {
      ...inner,
      observation: inner.done ? observation : releaseUser(observation, this.#inner.available()),
      // Rewards are added up over an episode, and its last one alone counts.
      reward: done ? reward : 0,
      score: reward,
      done,
      truncated: inner.truncated || over,
    };
    this.#now = { ...next, turn };
    return turn;
  }

  #current(operation: string): Situation {
    if (this.#now) return this.#now;
    throw noEpisode("shop", operation);
  }
}
