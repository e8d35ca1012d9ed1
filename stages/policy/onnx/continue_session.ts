import * as ort from "onnxruntime-node";
import type { LlamaConfig } from "../../engine/llama_config.ts";
import type { StoredTensor } from "../../engine/weights.ts";
import { PolicyError } from "../../errors.ts";
import { continueGraph } from "./graphs/continue_graph.ts";
import { decodeConstants, packedMatrices } from "./graphs/decode_constants.ts";

/** Settings of a {@link ContinueSession}. */
export interface ContinueSessionOptions {
  readonly config: LlamaConfig;
  readonly contextLength: number;
  /** Whether it holds matrices; see {@link packedMatrices}. */
  readonly packWeights?: boolean | undefined;
}

/**
 * The session of `continueGraph`. Where it holds matrices of the model, it is made
 * anew when these change: never while adapters are trained, else with every version.
 */
export class ContinueSession {
  readonly #settings: ContinueSessionOptions;
  readonly #packed: readonly string[];
  readonly #options: ort.InferenceSession.SessionOptions;
  #session: ort.InferenceSession | undefined;
  #held: readonly unknown[] = [];

  constructor(settings: ContinueSessionOptions, options: ort.InferenceSession.SessionOptions) {
    this.#settings = settings;
    this.#packed = packedMatrices(settings.config, settings.packWeights);
    this.#options = options;
  }

  /** Whether the session holds matrices, packed for its products. */
  get packsWeights(): boolean {
    return this.#packed.length > 0;
  }

  /** Makes the session if it lacks or holds other matrices. Rejects with a {@link PolicyError}. */
  async sync(weights: ReadonlyMap<string, StoredTensor>): Promise<void> {
    const matrices = this.#packed.map((name) => weights.get(name)!.data);
    const same = matrices.every((data, i) => data === this.#held[i]);
    if (this.#session !== undefined && same) return;
    await this.release();
    const { config, contextLength } = this.#settings;
    const { constants, data } = decodeConstants(this.#packed, weights);
    const externalData = [...data].map(([path, { buffer, byteOffset, byteLength }]) => ({
      path,
      data: new Uint8Array(buffer, byteOffset, byteLength),
    }));
    try {
      this.#session = await ort.InferenceSession.create(continueGraph(config, contextLength, constants), {
        ...this.#options,
        ...(externalData.length > 0 && { externalData }),
      });
    } catch (cause) {
      throw new PolicyError({ operation: "build the decoder", reason: (cause as Error).message });
    }
    this.#held = matrices;
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
