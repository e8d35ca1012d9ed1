import { Rng, seedPath } from "../seed.ts";

/** A golden negative trajectory: a failed attempt at a task, to be shown to who tries it (ReflectRL, arXiv 2608.03972). */
export interface Negative {
  /** Unique in its file. */
  readonly id: string;
  /** Id of the task that it failed. */
  readonly task: string;
  /** What a prompt shows of it: the reply, or the log of several turns. */
  readonly attempt: string;
}

/** Golden negative trajectories by task. */
export class Negatives {
  readonly #byTask = new Map<string, Negative[]>();

  constructor(rows: readonly Negative[]) {
    for (const row of rows) {
      const known = this.#byTask.get(row.task);
      if (known === undefined) this.#byTask.set(row.task, [row]);
      else known.push(row);
    }
  }

  /** Number of tasks that have one. */
  get tasks(): number {
    return this.#byTask.size;
  }

  /** One of the task's, chosen by `seed`; undefined if it has none. */
  of(task: string, seed: string): Negative | undefined {
    const rows = this.#byTask.get(task);
    return rows === undefined ? undefined : new Rng(seedPath(seed, "negative")).pick(rows);
  }
}
