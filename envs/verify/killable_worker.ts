import { refuse, type Verdict } from "./verdict.ts";

/** What a worker is asked; it answers with the value, or `{ failure }`. */
export interface WorkerRequest {
  readonly name: string;
  readonly args: readonly unknown[];
}

/** Verdicts that say nothing about the answer; they are counted apart from wrong ones. */
export type WorkerCategory = "timeout" | "crash";

/** Longest start of a worker in milliseconds: its modules are loaded, under a test runner also checked. */
const startLimitMs = 120_000;

/**
 * A worker that verifies one reply after the other and is killed when one takes
 * longer than its limit; the next one gets a fresh worker. Starting does not count.
 * `close` ends it. Arguments are copied as by `structuredClone`.
 */
export class KillableWorker {
  #worker: Worker | null = null;
  #tail: Promise<unknown> = Promise.resolve();
  #closed = false;

  /**
   * `script` is a module that posts `"ready"` and then answers {@link WorkerRequest}s;
   * `limitMs` is for each of them.
   */
  constructor(readonly script: URL, readonly limitMs: number) {}

  /** Starts the worker, so that the first request need not wait. Never rejects. */
  start(): Promise<void> {
    return this.#queue(async () => {
      await this.#ready().catch(() => this.#kill());
    });
  }

  /** The verdict, or one of category `timeout` or `crash`. Never rejects. */
  verify<C extends string>(name: string, ...args: readonly unknown[]): Promise<Verdict<C | WorkerCategory>> {
    return this.#queue(() => this.#ask<C>({ name, args }));
  }

  /** Kills the worker; whoever waits for its turn gets `crash`. */
  close(): void {
    this.#closed = true;
    this.#kill();
  }

  #queue<A>(run: () => Promise<A>): Promise<A> {
    const answer = this.#tail.then(run);
    this.#tail = answer;
    return answer;
  }

  #kill(): void {
    this.#worker?.terminate();
    this.#worker = null;
  }

  async #ask<C extends string>(request: WorkerRequest): Promise<Verdict<C | WorkerCategory>> {
    if (this.#closed) return refuse("crash", "the worker is closed");
    try {
      const worker = await this.#ready();
      const answer = await this.#answer(worker, this.limitMs, () => worker.postMessage(request));
      if (answer === "late") {
        this.#kill();
        return refuse("timeout", `no verdict within ${this.limitMs} ms`);
      }
      const { failure } = answer as { readonly failure?: string };
      if (failure === undefined) return answer as Verdict<C>;
      return refuse("crash", failure);
    } catch (error) {
      this.#kill();
      return refuse("crash", error instanceof Error ? error.message : String(error));
    }
  }

  async #ready(): Promise<Worker> {
    if (this.#worker !== null) return this.#worker;
    const worker = this.#worker = new Worker(this.script, { type: "module" });
    if (await this.#answer(worker, startLimitMs, () => {}) !== "ready") {
      throw new Error("the worker does not start");
    }
    return worker;
  }

  /** The worker's next message, `"late"` after `limitMs`; rejects if it fails. */
  #answer(worker: Worker, limitMs: number, ask: () => void): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => resolve("late"), limitMs);
      worker.onmessage = ({ data }) => {
        clearTimeout(timer);
        resolve(data);
      };
      worker.onerror = (event) => {
        event.preventDefault();
        clearTimeout(timer);
        reject(new Error(event.message));
      };
      ask();
    });
  }
}
