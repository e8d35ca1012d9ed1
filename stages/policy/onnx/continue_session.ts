import * as ort from "onnxruntime-node";
import type { LlamaConfig } from "../../engine/llama_config.ts";
import type { StoredTensor } from "../../engine/weights.ts";
import { PolicyError } from "../../errors.ts";
import { continueGraph } from "./graphs/continue_graph.ts";
import { type DecodeConstants, decodeConstants } from "./graphs/decode_constants.ts";

/** Settings of a {@link ContinueSession}. */
export interface ContinueSessionOptions {
  readonly config: LlamaConfig;
  readonly contextLength: number;
  /** Whether it holds matrices; see {@link decodeConstants}. */
  readonly packWeights?: boolean | undefined;
}

/**
 * The session of `continueGraph`. Where it holds matrices of the model, it is made
 * anew when these change: never while adapters are trained, else with every version.
 */
export class ContinueSession {
  readonly #graph: Uint8Array;
  readonly #constants: DecodeConstants;
  readonly #options: ort.InferenceSession.SessionOptions;
  #session: ort.InferenceSession | undefined;
  #held: readonly unknown[] = [];

  constructor(
    { config, contextLength, packWeights }: ContinueSessionOptions,
    options: ort.InferenceSession.SessionOptions,
  ) {
    this.#constants = decodeConstants(config, packWeights);
    this.#graph = continueGraph(config, contextLength, this.#constants);
    this.#options = options;
  }

  /** Whether the session holds matrices, packed for its products. */
  get packsWeights(): boolean {
    return this.#constants.size > 0;
  }

  /** Makes the session if it lacks or holds other matrices. Rejects with a {@link PolicyError}. */
  async sync(weights: ReadonlyMap<string, StoredTensor>): Promise<void> {
    const matrices = [...this.#constants].map(([name, path]) => ({ path, data: weights.get(name)!.data }));
    const same = matrices.every(({ data }, i) => data === this.#held[i]);
    if (this.#session !== undefined && same) return;
    await this.release();
    const externalData = matrices.map(({ path, data }) => ({
      path,
      data: new Uint8Array(data.buffer, data.byteOffset, data.byteLength),
    }));
    try {
      this.#session = await ort.InferenceSession.create(this.#graph, {
        ...this.#options,
        ...(externalData.length > 0 && { externalData }),
      });
    } catch (cause) {
      throw new PolicyError({ operation: "build the decoder", reason: (cause as Error).message });
    }
    this.#held = matrices.map(({ data }) => data);
  }

  /** Runs the graph; feeds that it has no input for are left out. */
  run(feeds: Readonly<Record<string, ort.Tensor>>): Promise<ort.InferenceSession.OnnxValueMapType> {
    const session = this.#session!;
    return session.run(Object.fromEntries(session.inputNames.map((name) => [name, feeds[name]])));
  }

  /** Frees the session. */
  async release(): Promise<void> {
    await this.#session?.release();
    this.#session = undefined;
    this.#held = [];
  }
}
