import { JavaFault } from "./py4j/wire.ts";
import type { Simulator } from "./simulator.ts";

/** How a {@link SimulatorPool} works. */
export interface PoolOptions {
  readonly start: () => Promise<Simulator>;
  /** Java processes. */
  readonly size: number;
  /** A process that takes longer for one operation, in milliseconds, is ended. */
  readonly limitMs: number;
}

interface Slot {
  simulator: Simulator | null;
  /** The episode whose state the simulator holds. */
  owner: object | null;
  busy: boolean;
  /** Number of its last use. */
  used: number;
}

/**
 * Simulators that episodes share: an operation gets one that is free, the one that
 * holds its episode's state if that is free, else the one that was idle longest. A
 * process that ends or hangs fails the operation that it served; the next one gets a
 * fresh process.
 */
export class SimulatorPool {
  readonly #slots: readonly Slot[];
  readonly #waiting: (() => void)[] = [];
  #uses = 0;
  #closed = false;

  constructor(readonly options: PoolOptions) {
    this.#slots = Array.from(
      { length: options.size },
      () => ({ simulator: null, owner: null, busy: false, used: 0 }),
    );
  }

  /** Starts every process, so that what is wrong shows at once. */
  async open(): Promise<void> {
    const started = await Promise.allSettled(this.#slots.map(async (slot) => {
      slot.simulator = await this.options.start();
    }));
    const failed = started.find((each) => each.status === "rejected");
    if (failed !== undefined) {
      await this.close();
      throw failed.reason;
    }
  }

  /**
   * Runs an operation of the episode `owner`; `holds` tells whether the simulator is
   * in that episode's state. If the operation throws it no longer is.
   */
  async use<A>(owner: object, run: (simulator: Simulator, holds: boolean) => Promise<A>): Promise<A> {
    const slot = await this.#take(owner);
    const holds = slot.owner === owner;
    slot.owner = null;
    try {
      slot.simulator ??= await this.options.start();
      const answer = await this.#limited(run(slot.simulator, holds));
      slot.owner = owner;
      return answer;
    } catch (error) {
      // What Java reports leaves the process usable; anything else does not.
      if (!(error instanceof JavaFault || error instanceof RangeError)) {
        const broken = slot.simulator;
        slot.simulator = null;
        await broken?.stop();
        if (this.#closed) throw new Error("the simulators are stopped");
        throw new Error(`the simulator's Java process failed: ${(error as Error).message}`);
      }
      throw error;
    } finally {
      slot.used = ++this.#uses;
      slot.busy = false;
      this.#waiting.shift()?.();
    }
  }

  /** The episode is over: its simulator is anybody's. */
  forget(owner: object): void {
    for (const slot of this.#slots) if (slot.owner === owner) slot.owner = null;
  }

  /** Ends every process; operations in progress fail. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#waiting.splice(0).forEach((wake) => wake());
    await Promise.all(this.#slots.map(async (slot) => {
      const { simulator } = slot;
      slot.simulator = null;
      await simulator?.stop();
    }));
  }

  async #take(owner: object): Promise<Slot> {
    for (;;) {
      if (this.#closed) throw new Error("the simulators are stopped");
      const free = this.#slots.filter((slot) => !slot.busy);
      const slot = free.find((each) => each.owner === owner) ??
        free.sort((a, b) => Number(a.owner !== null) - Number(b.owner !== null) || a.used - b.used)[0];
      if (slot !== undefined) {
        slot.busy = true;
        return slot;
      }
      await new Promise<void>((wake) => this.#waiting.push(wake));
    }
  }

  #limited<A>(work: Promise<A>): Promise<A> {
    const { promise, reject } = Promise.withResolvers<never>();
    const { limitMs } = this.options;
    const timer = setTimeout(() => reject(new Error(`no answer within ${limitMs} ms`)), limitMs);
    work.catch(() => {});
    return Promise.race([work, promise]).finally(() => clearTimeout(timer));
  }
}
