import { EnvError } from "../../stages/errors.ts";
import type { EpisodeVerdict, Json, Snapshot, Task, TextEnv, Turn } from "../env.ts";
import type { Verdict } from "../verify/verdict.ts";

/** Payload of a question's task. */
export interface QuestionPayload {
  readonly question: string;
  readonly gold: Json;
  /** Turns: each is one attempt at the answer. */
  readonly attempts: number;
}

/** What {@link Question} needs to know of a kind of question. */
export interface QuestionOptions {
  /** The environment's name, for errors. */
  readonly name: string;
  /** Judges a reply against the gold answer of the payload. */
  readonly verify: (reply: string, gold: Json) => Verdict | Promise<Verdict>;
  /** Categories of replies that hold no answer; the others hold a wrong one. */
  readonly unparseable: readonly string[];
  /** A reply that is right, or null if none is known. */
  readonly solution: (gold: Json) => string | null;
}

const snapshotVersion = 1;

interface Situation {
  readonly task: Task;
  readonly payload: QuestionPayload;
  readonly used: number;
  /** Category of the last verdict, "" before the first. */
  readonly category: string;
  /** What the last verdict read from the reply. */
  readonly answer: string | null;
}

/** Categories that say nothing about the answer. */
const unchecked: readonly string[] = ["timeout", "crash", "bad_gold"];

/**
 * A question with one or several attempts at its answer. After a wrong one the
 * observation says no more than that it was wrong. The reward is 1 on the right
 * answer, else 0.
 */
export class Question implements TextEnv {
  #now: Situation | null = null;

  constructor(readonly options: QuestionOptions) {}

  /** @throws EnvError if the payload is none of a question. */
  reset(task: Task): Turn {
    this.#now = { task, payload: this.#payload(task), used: 0, category: "", answer: null };
    return turnOf(this.#now, 0);
  }

  step(action: string): Turn | Promise<Turn> {
    const now = this.#current("step");
    if (turnOf(now, 0).done) return turnOf(now, 0);
    const verdict = this.options.verify(action, now.payload.gold);
    const take = ({ category, extracted }: Verdict) => {
      this.#now = { ...now, used: now.used + 1, category, answer: extracted };
      return turnOf(this.#now, category === "ok" ? 1 : 0);
    };
    return verdict instanceof Promise ? verdict.then(take) : take(verdict);
  }

  snapshot(): Snapshot {
    const { task, used, category, answer } = this.#current("snapshot");
    return {
      version: snapshotVersion,
      task: { id: task.id, kind: task.kind, payload: task.payload },
      used,
      category,
      answer,
    };
  }

  /** @throws EnvError if the snapshot is of another version or none of a question. */
  restore(snapshot: Snapshot): Turn {
    const saved = snapshot as Partial<Record<string, Json>> | null;
    const task = saved?.task as unknown as Task | undefined;
    const { version, used, category, answer } = saved ?? {};
    if (version !== snapshotVersion) {
      throw this.#fault(task?.id, "restore", `snapshot version ${version}, expected ${snapshotVersion}`);
    }
    if (typeof task?.id !== "string" || typeof used !== "number" || typeof category !== "string") {
      throw this.#fault(task?.id, "restore", "the snapshot lacks its task, used attempts or category");
    }
    const said = typeof answer === "string" ? answer : null;
    this.#now = { task, payload: this.#payload(task), used, category, answer: said };
    return turnOf(this.#now, category === "ok" ? 1 : 0);
  }

  fingerprint(): string {
    const { task, used, category } = this.#current("fingerprint");
    return `${task.id}/${used}/${category === "ok"}`;
  }

  oracle(): string[] {
    const now = this.#current("oracle");
    if (turnOf(now, 0).done) return [];
    const solution = this.options.solution(now.payload.gold);
    return solution === null ? [] : [solution];
  }

  /** Says only whether the answer was right, or that it could not be checked. */
  feedback(): string {
    const { category } = this.#current("feedback");
    if (category === "ok") return "Success.";
    return unchecked.includes(category) ? `Failure: not checked (${category}).` : "Failure: wrong answer.";
  }

  /** The verdict on the last attempt; null before the first. */
  verdict(): EpisodeVerdict | null {
    const { category, answer } = this.#current("verdict");
    if (category === "") return null;
    const outcome = category === "ok"
      ? "right"
      : unchecked.includes(category)
      ? "unchecked"
      : this.options.unparseable.includes(category)
      ? "unparseable"
      : "wrong";
    return { outcome, category, answer };
  }

  #payload(task: Task): QuestionPayload {
    const { question, gold, attempts } = (task.payload ?? {}) as Partial<Record<string, Json>>;
    if (typeof question !== "string" || gold === undefined) {
      throw this.#fault(task.id, "reset", "the payload lacks its question or gold answer");
    }
    if (typeof attempts !== "number" || !Number.isSafeInteger(attempts) || attempts < 1) {
      throw this.#fault(task.id, "reset", `attempts is ${attempts}, not a positive whole number`);
    }
    return { question, gold, attempts };
  }

  #current(operation: string): Situation {
    if (this.#now) return this.#now;
    throw this.#fault("", operation, "no episode has been reset");
  }

  #fault(task: string | undefined, operation: string, reason: string): EnvError {
    return new EnvError({ environment: this.options.name, task: task ?? "", operation, reason });
  }
}

function turnOf({ payload, used, category }: Situation, reward: number): Turn {
  const won = category === "ok";
  const truncated = !won && used >= payload.attempts;
  const left = payload.attempts - used;
  const observation = used === 0
    ? payload.question
    : won
    ? "Right."
    : truncated
    ? "Wrong."
    : `Wrong. Try again; ${left === 1 ? "1 attempt is" : `${left} attempts are`} left.`;
  return { observation, reward, score: won ? 1 : 0, done: won || truncated, won, truncated };
}
