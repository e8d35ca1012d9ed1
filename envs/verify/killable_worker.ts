import { refuse, type Verdict } from "./verdict.ts";

/** What a worker is asked; it answers with the value, or `{ failure }`. */
export interface WorkerRequest {
  readonly name: string;
  readonly args: readonly unknown[];
}

/** Verdicts that say nothing about the answer; they are counted apart from wrong ones. */
export type WorkerCategory = "timeout" | "crash";

/**
 * A worker that verifies one reply after the other and is killed when one takes
 * longer than its limit; the next one gets a fresh worker. It starts with the first
 * request; `close` ends it. Arguments are copied as by `structuredClone`.
 */
export class KillableWorker {
  #worker: Worker | null = null;
  #tail: Promise<unknown> = Promise.resolve();
  #closed = false;

  /** `script` is a module that answers {@link WorkerRequest}s; `limitMs` is for each of them. */
  constructor(readonly script: URL, readonly limitMs: number) {}

  /** The verdict, or one of category `timeout` or `crash`. Never rejects. */
  verify<C extends string>(name: string, ...args: readonly unknown[]): Promise<Verdict<C | WorkerCategory>> {
    const verdict = this.#tail.then(() => this.#ask<C>({ name, args }));
    this.#tail = verdict;
    return verdict;
  }

  /** Kills the worker; whoever still waits gets `crash`. */
  close(): void {
    this.#closed = true;
    this.#kill();
  }

  #kill(): void {
    this.#worker?.terminate();
    this.#worker = null;
  }

  #ask<C extends string>(request: WorkerRequest): Promise<Verdict<C | WorkerCategory>> {
    if (this.#closed) return Promise.resolve(refuse("crash", "the worker is closed"));
    return new Promise((resolve) => {
      const end = (verdict: Verdict<C | WorkerCategory>, kill: boolean) => {
        clearTimeout(timer);
        if (kill) this.#kill();
        resolve(verdict);
      };
      const timer = setTimeout(
        () => end(refuse("timeout", `no verdict within ${this.limitMs} ms`), true),
        this.limitMs,
      );
      try {
        const worker = this.#worker ??= new Worker(this.script, { type: "module" });
        worker.onmessage = ({ data }) =>
          "failure" in data ? end(refuse("crash", String(data.failure)), true) : end(data, false);
        worker.onerror = (event) => {
          event.preventDefault();
          end(refuse("crash", event.message), true);
        };
        worker.postMessage(request);
      } catch (error) {
        end(refuse("crash", String(error)), true);
      }
    });
  }
}
