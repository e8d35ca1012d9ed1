import { EnvError } from "../../stages/errors.ts";
import { hash32 } from "../../stages/seed.ts";
import type { Json, Snapshot, Task, TextEnv, Turn } from "../env.ts";
import { JavaFault } from "./py4j/wire.ts";
import type { ScienceWorldPayload } from "./scienceworld_tasks.ts";
import type { Simulator, SimulatorTurn } from "./simulator.ts";
import type { SimulatorPool } from "./simulator_pool.ts";

/**
 * How an episode is scored. `score`: the simulator's points over 100, -1 after a
 * wrong focus. `largest_change`: the largest gain of one step over 100, as the R³L
 * release books it; an episode of 100 points gets 0.25 to 0.67 by it.
 */
export type ScienceWorldReward = "score" | "largest_change";

/** Options of {@link ScienceWorld}. */
export interface ScienceWorldOptions {
  /** The Java processes; each plays one episode at a time. */
  readonly pool: SimulatorPool;
  /** What an episode is worth. */
  readonly reward: ScienceWorldReward;
  /** Identity of the jar: other ones have other texts, so their snapshots are refused. */
  readonly jar: string;
  /** Loads the commands of `oracle`, which is slow. Default false. */
  readonly gold?: boolean;
}

const snapshotVersion = 1;

/** Answer to a text that the simulator fails at, and to none that it knows. */
const unknownCommand = "No known action matches that input.";

/** Longest command that is sent, in characters. */
const longest = 1000;

/** One action and a hash of its answer. */
type Played = readonly [action: string, hash: string];

interface Situation {
  readonly task: Task;
  readonly payload: ScienceWorldPayload;
  readonly gold: readonly string[];
  readonly played: readonly Played[];
  readonly points: number;
  /** Largest gain of one step so far. */
  readonly largest: number;
  readonly turn: Turn;
}

/**
 * ScienceWorld's own simulator. A snapshot is what was played; `restore`, and an
 * operation whose simulator meanwhile served another episode, load the variation
 * again and replay, comparing every answer. The first observation is the task and
 * `look around`.
 */
export class ScienceWorld implements TextEnv {
  #now: Situation | null = null;

  constructor(readonly options: ScienceWorldOptions) {}

  /** @throws EnvError if the simulator knows no such task, or its process fails. */
  async reset(task: Task): Promise<Turn> {
    this.#now = await this.#use(task, "reset", (simulator) => this.#begin(simulator, task));
    return this.#now.turn;
  }

  async step(action: string): Promise<Turn> {
    const now = this.#current("step");
    if (now.turn.done) return { ...now.turn, reward: 0 };
    this.#now = await this.#use(now.task, "step", async (simulator, holds) => {
      if (!holds) await this.#replay(simulator, now);
      const command = action.slice(0, longest);
      try {
        return this.#after(now, command, await simulator.step(command));
      } catch (error) {
        if (!(error instanceof JavaFault)) throw error;
        // A text at which the simulator fails is none of its commands.
        await this.#replay(simulator, now);
        return { ...now, turn: { ...now.turn, observation: unknownCommand, reward: 0 } };
      }
    });
    return this.#now.turn;
  }

  snapshot(): Snapshot {
    const { task, played } = this.#current("snapshot");
    return { version: snapshotVersion, jar: this.options.jar, task: { ...task }, played };
  }

  /** @throws EnvError; with `divergedAt` if the simulator answers otherwise than it did. */
  async restore(snapshot: Snapshot): Promise<Turn> {
    const { version, jar, task, played } = (snapshot ?? {}) as Partial<Record<string, Json>>;
    const fail = (reason: string) => errorOf(task as Task | undefined, "restore", reason);
    if (version !== snapshotVersion) throw fail(`snapshot version ${version}, expected ${snapshotVersion}`);
    if (jar !== this.options.jar) throw fail(`the snapshot is of jar ${jar}, this is ${this.options.jar}`);
    if (typeof (task as Task | undefined)?.id !== "string" || !Array.isArray(played)) {
      throw fail("the snapshot lacks its task or what was played");
    }
    const saved = { task: task as unknown as Task, played: played as readonly Played[] };
    this.#now = await this.#use(saved.task, "restore", (simulator) => this.#replay(simulator, saved));
    return this.#now.turn;
  }

  /** A hash of what was played and answered, which decides the hidden state. */
  fingerprint(): string {
    const { task, played } = this.#current("fingerprint");
    const text = JSON.stringify([this.options.jar, task.payload, played]);
    return ["a", "b"].map((salt) => hash32(salt + text).toString(16).padStart(8, "0")).join("");
  }

  /** The rest of the simulator's gold commands while they were followed, with the option `gold`. */
  oracle(): string[] {
    const { gold, played, turn } = this.#current("oracle");
    return turn.done || played.some(([action], i) => action !== gold[i]) ? [] : gold.slice(played.length);
  }

  feedback(): string {
    const { turn, points } = this.#current("feedback");
    if (turn.won) return "Success.";
    return points < 0 ? "Failure: wrong focus." : `Failure: score ${points} of 100.`;
  }

  close(): void {
    this.options.pool.forget(this);
  }

  async #begin(simulator: Simulator, task: Task): Promise<Situation> {
    const payload = payloadOf(task);
    const { gold: wanted = false } = this.options;
    await simulator.load(payload.task, payload.variation, payload.simplifications, wanted);
    const gold = wanted ? await simulator.gold() : [];
    // The gold commands were found by playing; a second load starts anew.
    if (wanted) await simulator.load(payload.task, payload.variation, payload.simplifications);
    const description = await simulator.description();
    const first = await simulator.step("look around");
    const before = { task, payload, gold, played: [], points: 0, largest: 0 };
    const observation = `${description}\n\n${first.observation}`;
    return { ...before, points: first.points, turn: this.#turn(before, { ...first, observation }) };
  }

  /** Loads a situation's task and plays what was played, answer by answer. */
  async #replay(simulator: Simulator, saved: Pick<Situation, "task" | "played">): Promise<Situation> {
    let now = await this.#begin(simulator, saved.task);
    for (const [i, [action, hash]] of saved.played.entries()) {
      now = this.#after(now, action, await simulator.step(action));
      if (now.played[i][1] !== hash) {
        throw errorOf(saved.task, "restore", `the answer to action ${i + 1} is another than before`, i);
      }
    }
    return now;
  }

  #after(now: Situation, action: string, answer: SimulatorTurn): Situation {
    const largest = Math.max(now.largest, answer.points - now.points);
    const played = [...now.played, [action, hash32(answer.observation).toString(16)] as const];
    const next = { ...now, played, points: answer.points, largest };
    return { ...next, turn: this.#turn({ ...now, played }, answer, largest) };
  }

  /** The turn after an answer; `before` holds what was reached before it. */
  #turn(before: Omit<Situation, "turn">, answer: SimulatorTurn, largest = before.largest): Turn {
    const { points, moves, completed, observation } = answer;
    const byScore = this.options.reward === "score";
    const [was, is] = byScore ? [before.points, points] : [before.largest, largest];
    const won = is >= 100;
    const over = completed || points < 0;
    const { maxTurns } = before.payload;
    const truncated = !over && !won && (before.played.length >= maxTurns || moves > maxTurns);
    return {
      observation,
      reward: (is - was) / 100,
      score: is / 100,
      done: over || won || truncated,
      won,
      truncated,
    };
  }

  async #use<A>(
    task: Task,
    operation: string,
    run: (simulator: Simulator, holds: boolean) => Promise<A>,
  ): Promise<A> {
    try {
      return await this.options.pool.use(this, async (simulator, holds) => {
        try {
          return { answer: await run(simulator, holds) };
        } catch (error) {
          // Not the process's fault: it stays.
          if (error instanceof EnvError) return { error };
          throw error;
        }
      }).then((result) => {
        if ("error" in result) throw result.error;
        return result.answer;
      });
    } catch (error) {
      if (error instanceof EnvError) {
        this.options.pool.forget(this);
        throw error;
      }
      throw errorOf(task, operation, (error as Error).message.split("\n")[0]);
    }
  }

  #current(operation: string): Situation {
    if (this.#now) return this.#now;
    throw errorOf(undefined, operation, "no episode has been reset");
  }
}

function payloadOf(task: Task): ScienceWorldPayload {
  const payload = task.payload as Partial<Record<keyof ScienceWorldPayload, Json>> | null;
  const fault = typeof payload?.task !== "string"
    ? `task is ${payload?.task}`
    : !Number.isSafeInteger(payload.variation) || (payload.variation as number) < 0
    ? `variation is ${payload.variation}`
    : typeof payload.simplifications !== "string"
    ? `simplifications is ${payload.simplifications}`
    : !Number.isSafeInteger(payload.maxTurns) || (payload.maxTurns as number) < 1
    ? `maxTurns is ${payload.maxTurns}, not a positive whole number`
    : null;
  if (fault !== null) throw errorOf(task, "reset", fault);
  return payload as unknown as ScienceWorldPayload;
}

function errorOf(task: Task | undefined, operation: string, reason: string, divergedAt?: number): EnvError {
  return new EnvError({
    environment: "scienceworld",
    task: task?.id ?? "",
    operation,
    reason,
    ...(divergedAt === undefined ? {} : { divergedAt }),
  });
}
