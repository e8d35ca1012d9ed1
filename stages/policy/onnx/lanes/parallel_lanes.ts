import type { Weights } from "../../../engine/weights.ts";
import type { GenerateRequest, Generation, PolicyCounters } from "../../policy.ts";
import { assignLanes } from "./_assign_lanes.ts";
import { Generator, type GeneratorOptions } from "../generator.ts";
import type { Lane } from "./lane.ts";
import { WorkerLane } from "./worker_lane.ts";

/**
 * Several lanes side by side. One decoding step of a small model is many short
 * operators, over which threads help little; a second batch in a second thread runs
 * at nearly full speed. The weights are held once a lane.
 *
 * What is sampled does not depend on the number of cores: sequences are dealt to the
 * lanes by the order of the requests.
 */
export class ParallelLanes implements Lane {
  readonly #lanes: readonly Lane[];
  readonly #assigned = new Map<string, number>();

  private constructor(lanes: readonly Lane[]) {
    this.#lanes = lanes;
  }

  /** One lane in this thread and the others in workers. Rejects with a PolicyError. */
  static async create(options: GeneratorOptions, lanes: number): Promise<ParallelLanes> {
    const made: Lane[] = [await Generator.create(options)];
    try {
      for (let i = 1; i < lanes; i++) made.push(await WorkerLane.create(options));
    } catch (error) {
      await Promise.all(made.map((lane) => lane.close()));
      throw error;
    }
    return new ParallelLanes(made);
  }

  get version(): number {
    return this.#lanes[0].version;
  }

  get counters(): PolicyCounters {
    const counters = this.#lanes.map((lane) => lane.counters);
    const sum = (of: (of: PolicyCounters) => number) => counters.reduce((total, lane) => total + of(lane), 0);
    return {
      generatedTokens: sum(({ generatedTokens }) => generatedTokens),
      prefillTokens: sum(({ prefillTokens }) => prefillTokens),
    };
  }

  async generate(requests: readonly GenerateRequest[], signal?: AbortSignal): Promise<Generation[]> {
    const lanes = assignLanes(requests, this.#assigned, this.#lanes.length);
    requests.forEach(({ session }, i) => this.#assigned.set(session, lanes[i]));
    const shares = this.#lanes.map((_, lane) => requests.filter((_, i) => lanes[i] === lane));
    // A lane of this thread leaves no time for messages: the workers get theirs first.
    const order = [...this.#lanes.keys()].reverse();
    const generations = await allDone(
      order.map((lane) =>
        shares[lane].length === 0 ? Promise.resolve([]) : this.#lanes[lane].generate(shares[lane], signal)
      ),
    );
    const queues = new Map(order.map((lane, i) => [lane, generations[i].values()]));
    return lanes.map((lane) => queues.get(lane)!.next().value!);
  }

  async sync(weights: Weights, version: number): Promise<void> {
    this.#assigned.clear();
    await allDone(this.#lanes.map((lane) => lane.sync(weights, version)));
  }

  release(sessions?: readonly string[]): void {
    for (const session of sessions ?? [...this.#assigned.keys()]) this.#assigned.delete(session);
    for (const lane of this.#lanes) lane.release(sessions);
  }

  async close(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.close()));
  }
}

/** Waits for every lane, also after one failed: then nothing of a call goes on behind the next one. */
async function allDone<A>(lanes: readonly Promise<A>[]): Promise<A[]> {
  return (await Promise.allSettled(lanes)).map((lane) => {
    if (lane.status === "rejected") throw lane.reason;
    return lane.value;
  });
}
