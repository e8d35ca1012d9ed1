import { isAdapterName } from "../../../engine/lora.ts";
import type { StoredTensor, Weights } from "../../../engine/weights.ts";
import { PolicyError } from "../../../errors.ts";
import type { GenerateRequest, Generation, PolicyCounters } from "../../policy.ts";
import type { LaneReply, LaneRequest } from "./_lane_messages.ts";
import type { GeneratorOptions } from "../generator.ts";
import type { Lane } from "./lane.ts";

interface Waiting {
  readonly resolve: (generations: Generation[]) => void;
  readonly reject: (error: PolicyError) => void;
}

/** A generator in a worker of its own: a core of its own, and its caches there. */
export class WorkerLane implements Lane {
  readonly #worker: Worker;
  /** Who waits for an answer, in the order of the questions. */
  readonly #waiting: Waiting[] = [];
  /** What adapters freeze, which the worker is sent once: a copy takes time, and makes its session anew. */
  readonly #frozen: ReadonlyMap<string, StoredTensor["data"]>;
  #failure: PolicyError | undefined;
  #version: number;
  #counters: PolicyCounters = { generatedTokens: 0, prefillTokens: 0 };

  private constructor({ config, weights, version = 0 }: GeneratorOptions, script: URL) {
    this.#version = version;
    const frozen = [...weights].filter(([name]) => config.lora !== undefined && !isAdapterName(name));
    this.#frozen = new Map(frozen.map(([name, { data }]) => [name, data]));
    this.#worker = new Worker(script, { type: "module" });
    this.#worker.onmessage = ({ data }: MessageEvent<LaneReply>) => {
      const waiting = this.#waiting.shift();
      this.#counters = data.counters;
      if (data.error === undefined) waiting?.resolve([...data.generations]);
      else waiting?.reject(new PolicyError(data.error));
    };
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#end(event.message.split("\n")[0]);
    };
  }

  /** Starts the worker, which runs `script`, and builds its generator. Rejects with a {@link PolicyError}. */
  static async create(
    options: GeneratorOptions,
    script = new URL("./_lane_worker.ts", import.meta.url),
  ): Promise<WorkerLane> {
    const lane = new WorkerLane(options, script);
    try {
      await lane.#ask({ kind: "open", options });
    } catch (error) {
      lane.#worker.terminate();
      throw error;
    }
    return lane;
  }

  get version(): number {
    return this.#version;
  }

  get counters(): PolicyCounters {
    return this.#counters;
  }

  async generate(requests: readonly GenerateRequest[], signal?: AbortSignal): Promise<Generation[]> {
    const abort = () => this.#post({ kind: "abort" });
    const generations = this.#ask({ kind: "generate", requests });
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort);
    try {
      return await generations;
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  async sync(weights: Weights, version: number): Promise<void> {
    const others = new Map([...weights].filter(([name, { data }]) => this.#frozen.get(name) !== data));
    await this.#ask({ kind: "sync", weights: others, version });
    this.#version = version;
  }

  release(sessions?: readonly string[]): void {
    this.#post({ kind: "release", ...(sessions !== undefined && { sessions }) });
  }

  /** Ends the worker. One that dies of it, or has died before, is closed too. */
  async close(): Promise<void> {
    await this.#ask({ kind: "close" }).catch(() => {});
    this.#worker.terminate();
    this.#end("the worker is closed");
  }

  /** From here on nothing is answered any more, whoever waits now included. */
  #end(reason: string): void {
    this.#failure ??= new PolicyError({ operation: "decode in a worker", reason });
    for (const waiting of this.#waiting.splice(0)) waiting.reject(this.#failure);
  }

  #ask(request: LaneRequest): Promise<Generation[]> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#post(request);
    });
  }

  #post(request: LaneRequest): void {
    this.#worker.postMessage(request);
  }
}
