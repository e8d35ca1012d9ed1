import { type Gateway, type GatewayOptions, startGateway } from "./py4j/start_gateway.ts";
import type { JavaReference } from "./py4j/wire.ts";

/** What the simulator says after a command. */
export interface SimulatorTurn {
  readonly observation: string;
  /** 0 to 100; -100 after a wrong focus. */
  readonly points: number;
  readonly completed: boolean;
  readonly moves: number;
}

/** Texts that {@link Simulator.load} refuses begin so. */
const refusal = "ERROR";

/** One ScienceWorld in a Java process of its own: its random numbers and rules are global there. */
export class Simulator {
  private constructor(readonly gateway: Gateway, readonly world: JavaReference) {}

  /** Starts the Java process. */
  static async start(options: GatewayOptions): Promise<Simulator> {
    return await Simulator.over(await startGateway(options));
  }

  /** The simulator behind a gateway, which is stopped if there is none. */
  static async over(gateway: Gateway): Promise<Simulator> {
    try {
      const world = await gateway.client.construct("scienceworld.runtime.pythonapi.PythonInterface");
      return new Simulator(gateway, world);
    } catch (error) {
      await gateway.stop();
      throw error;
    }
  }

  /** Starts an episode; `gold` also computes the commands of {@link gold}, which is slow. */
  async load(task: string, variation: number, simplifications: string, gold = false): Promise<void> {
    const answer = String(await this.#call("load", task, variation, simplifications, gold));
    if (answer.startsWith(refusal)) throw new RangeError(answer.split("\n")[0]);
  }

  async step(command: string): Promise<SimulatorTurn> {
    // The process runs them in this order.
    const [observation, score, completed, moves] = await Promise.all([
      this.#call("step", command),
      this.#call("getScore"),
      this.#call("getCompleted"),
      this.#call("getNumMoves"),
    ]);
    return {
      observation: String(observation),
      points: Math.round(100 * Number(score)),
      completed: completed === true,
      moves: Number(moves),
    };
  }

  async description(): Promise<string> {
    return String(await this.#call("getTaskDescription"));
  }

  /** Commands that reach 100 points from the start, after a load with `gold`. */
  gold(): Promise<string[]> {
    return this.gateway.client.strings(this.world, "getGoldActionSequence");
  }

  taskNames(): Promise<string[]> {
    return this.gateway.client.strings(this.world, "getTaskNames");
  }

  async variationCount(task: string): Promise<number> {
    return Number(await this.#call("getTaskMaxVariations", task));
  }

  /** Variations of the loaded task in one of the simulator's splits. */
  async variations(split: "Train" | "Dev" | "Test"): Promise<number[]> {
    const { client } = this.gateway;
    const list = await client.call(this.world, `getVariations${split}`) as JavaReference;
    const text = String(await client.call(list, "toString"));
    await client.release(list);
    return text.slice(1, -1).split(", ").filter((part) => part !== "").map(Number);
  }

  stop(): Promise<void> {
    return this.gateway.stop();
  }

  #call(method: string, ...args: Parameters<Gateway["client"]["call"]>[2][]) {
    return this.gateway.client.call(this.world, method, ...args);
  }
}
