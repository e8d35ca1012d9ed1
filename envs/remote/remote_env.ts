import { EnvError } from "../../stages/errors.ts";
import { hash32 } from "../../stages/seed.ts";
import type { Json, Snapshot, Task, TextEnv, Turn } from "../env.ts";
import { RemoteFault } from "./remote_fault.ts";
import type { RemoteAnswer, RemoteSession } from "./remote_session.ts";

/** Rules that a {@link RemoteEnv} adds to what the server says. */
export interface RemoteRules {
  /** An episode that ends with this score or more is won. */
  readonly wonScore: number;
  /** An action at which the server fails: ends the attempt, or is answered with the error. */
  readonly errors: "fail" | "answer";
}

const snapshotVersion = 1;

/** One line of what was played: the action (null for the reset) and a hash of its answer. */
type Played = readonly [action: string | null, hash: string];

interface Situation {
  readonly task: Task;
  readonly played: readonly Played[];
  readonly score: number;
  readonly feedback: string;
  readonly turn: Turn;
}

/**
 * An environment that a server runs. A snapshot is the list of actions so far;
 * `restore` resets the task and replays them, comparing every answer with the one
 * recorded. The first that differs is an EnvError with `divergedAt`: a retry from
 * there would not continue what the base attempt saw.
 */
export class RemoteEnv implements TextEnv {
  #now: Situation | null = null;

  constructor(readonly session: RemoteSession, readonly rules: RemoteRules) {}

  async reset(task: Task): Promise<Turn> {
    this.#now = null;
    const { data } = payloadOf(task);
    const answer = await this.#ask(task, "reset", () => this.session.reset(data));
    this.#now = this.#next({ task, played: [], score: 0, feedback: "" }, null, answer);
    return this.#now.turn;
  }

  async step(action: string): Promise<Turn> {
    const now = this.#current("step");
    if (now.turn.done) return { ...now.turn, reward: 0 };
    const answer = await this.#ask(now.task, "step", async () => {
      try {
        return await this.session.step(action);
      } catch (error) {
        if (error instanceof RemoteFault && this.#isAnswer(error)) return sayingError(error);
        throw error;
      }
    });
    this.#now = this.#next(now, action, answer);
    return this.#now.turn;
  }

  snapshot(): Snapshot {
    const { task, played } = this.#current("snapshot");
    return { version: snapshotVersion, task: { ...task }, played };
  }

  /** @throws EnvError; with `divergedAt` if the server answers otherwise than it did. */
  async restore(snapshot: Snapshot): Promise<Turn> {
    const { version, task, played } = (snapshot ?? {}) as Partial<Record<string, Json>>;
    const fail = (reason: string, divergedAt?: number) =>
      errorOf(task as Task | undefined, "restore", reason, divergedAt);
    if (version !== snapshotVersion) throw fail(`snapshot version ${version}, expected ${snapshotVersion}`);
    if (typeof (task as Task | undefined)?.id !== "string" || !Array.isArray(played) || played.length === 0) {
      throw fail("the snapshot lacks its task or what was played");
    }
    let turn = await this.reset(task as unknown as Task);
    for (const [i, [action, hash]] of (played as readonly Played[]).entries()) {
      if (action !== null) turn = await this.step(action);
      if (this.#now!.played[i][1] !== hash) {
        const what = i === 0 ? "the first observation" : `the answer to action ${i}`;
        throw fail(`the server is not deterministic: ${what} differs from the recorded one`, i);
      }
    }
    return turn;
  }

  /** A hash of task, actions and answers: all that is known of the server's state. */
  fingerprint(): string {
    const { task, played } = this.#current("fingerprint");
    return hash64(JSON.stringify([task.payload, played]));
  }

  /** No solution is known. */
  oracle(): string[] {
    return [];
  }

  feedback(): string {
    const { turn, feedback, score } = this.#current("feedback");
    if (feedback !== "") return feedback;
    if (turn.won) return "Success.";
    return turn.truncated ? "Failure: out of turns." : `Failure: score ${score}.`;
  }

  async close(): Promise<void> {
    await this.session.close();
  }

  #isAnswer({ kind }: RemoteFault): boolean {
    return kind === "bad_action" || (kind === "failed" && this.rules.errors === "answer");
  }

  #next(before: Omit<Situation, "turn">, action: string | null, answer: RemoteAnswer): Situation {
    const { maxTurns } = payloadOf(before.task);
    const { observation, admissible, done } = answer;
    const played: Played[] = [...before.played, [action, hash64(observation)]];
    const score = answer.score ?? before.score + answer.reward;
    const isLast = done || played.length > maxTurns;
    const won = isLast && score >= this.rules.wonScore;
    return {
      task: before.task,
      played,
      score,
      feedback: answer.feedback ?? "",
      turn: {
        observation,
        ...(admissible !== undefined && { admissible }),
        // Where the server tells the score, a step is worth what it adds.
        reward: action === null ? 0 : score - before.score,
        score,
        done: isLast,
        won,
        truncated: isLast && !done && !won,
      },
    };
  }

  async #ask(task: Task, operation: string, run: () => Promise<RemoteAnswer>): Promise<RemoteAnswer> {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof RemoteFault)) throw error;
      throw errorOf(task, operation, error.message);
    }
  }

  #current(operation: string): Situation {
    if (this.#now) return this.#now;
    throw errorOf(undefined, operation, "no episode has been reset");
  }
}

function errorOf(task: Task | undefined, operation: string, reason: string, divergedAt?: number): EnvError {
  const known = { environment: "remote", task: task?.id ?? "", operation, reason };
  return new EnvError(divergedAt === undefined ? known : { ...known, divergedAt });
}

/** The server's refusal, as a turn that changed nothing. */
function sayingError({ message }: RemoteFault): RemoteAnswer {
  return { observation: `Invalid action: ${message}`, reward: 0, score: null, done: false };
}

function payloadOf(task: Task): { readonly data: Json; readonly maxTurns: number } {
  const { data, maxTurns } = (task.payload ?? {}) as Partial<Record<string, Json>>;
  if (typeof maxTurns === "number" && Number.isSafeInteger(maxTurns) && maxTurns > 0 && data !== undefined) {
    return { data, maxTurns };
  }
  throw errorOf(task, "reset", "the payload lacks its reset data or turn limit");
}

function hash64(text: string): string {
  const half = (salt: string) => hash32(salt + text).toString(16).padStart(8, "0");
  return half("a") + half("b");
}
