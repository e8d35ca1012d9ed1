import { Effect, Scope } from "effect";
import { type InferenceSession, Tensor as OrtTensor } from "onnxruntime-node";
import { EngineError } from "../../errors.ts";
import type { LlamaConfig } from "../llama_config.ts";
import { type PackableRow, packRows } from "../pack_rows.ts";
import type { Distributions } from "../engine.ts";
import { packAgainst } from "../pack_against.ts";
import { batchSize, type Microbatch } from "../plan_microbatches.ts";
import type { Weights } from "../weights.ts";
import { createSession } from "./create_session.ts";
import { llamaGraph, type LlamaGraphOptions, llamaNames } from "./llama_graph.ts";
import { ortTensors } from "./ort_tensor.ts";
import { type PositionTables, positionTables, treeTables } from "./position_tables.ts";
import type { Provider } from "./provider.ts";

/** Which graph to run, at what temperature. */
export interface RunOptions {
  readonly backward: boolean;
  readonly entropy: boolean;
  readonly temperature: number;
  /** The hidden states below the output head instead. */
  readonly hidden?: boolean;
  /** With `backward`: another model's distributions of the rows' chosen tokens. */
  readonly against?: Distributions;
}

/** A micro-batch's outputs by name, float32. */
export type RunOutputs = Readonly<Record<string, { readonly data: Float32Array }>>;

/** Settings of {@link LlamaRunner}. */
export interface RunnerSettings {
  readonly config: LlamaConfig;
  /** Fed at every run, without a copy: changes in place show in the next one. */
  readonly weights: Weights;
  readonly provider: Provider;
  /** Positions per chunk of the output head; absent if all fit at once. */
  readonly chunk: number | undefined;
  /** Compute each block's activations again in the backward pass instead of keeping them. */
  readonly recompute?: boolean;
}

/**
 * Lengths differ from batch to batch, so that plans for memory are hardly used again,
 * and a run that is planned takes its block beside what the run before holds.
 */
const LEAN = { enableMemPattern: false } as const;

/** Most mask entries kept for later batches. */
const MASK_BUDGET = 2 ** 22;

/** Runs micro-batches of a Llama decoder on ONNX Runtime; a session is made when its graph is first needed. */
export class LlamaRunner {
  readonly #settings: RunnerSettings;
  readonly #scope: Scope.Scope;
  readonly #parameters: Record<string, OrtTensor>;
  readonly #sessions = new Map<string, InferenceSession>();
  readonly #tables = new Map<number, PositionTables>();

  /** @param scope Sessions are released when it closes. */
  constructor(settings: RunnerSettings, scope: Scope.Scope) {
    this.#settings = settings;
    this.#scope = scope;
    this.#parameters = Object.assign(
      {},
      ...[...settings.weights].map(([name, tensor]) => ortTensors(name, tensor)),
    );
  }

  /** Outputs for the wanted positions in the order of `packRows`. */
  run(
    rows: readonly PackableRow[],
    batch: Microbatch,
    options: RunOptions,
  ): Effect.Effect<RunOutputs, EngineError> {
    return Effect.flatMap(this.#session(options), (session) =>
      Effect.tryPromise({
        try: () => session.run(this.#feeds(rows, batch, options)) as unknown as Promise<RunOutputs>,
        catch: (cause) => new EngineError({ operation: "run the model", reason: (cause as Error).message }),
      }));
  }

  #feeds(rows: readonly PackableRow[], batch: Microbatch, options: RunOptions): Record<string, OrtTensor> {
    const { config, chunk } = this.#settings;
    const { time } = batch;
    const packed = packRows(rows, batch, chunk);
    const tables = batch.slots === undefined
      ? this.#positions(time)
      : treeTables(config, { time, slots: batch.slots });
    const shape = [batchSize(batch), time];
    const int = (data: Int32Array, dims: readonly number[]) => new OrtTensor("int32", data, dims);
    const float = (data: Float32Array, dims: readonly number[]) => new OrtTensor("float32", data, dims);
    const selected = [packed.index.length];
    const half = config.headDim / 2;
    const names = llamaNames;
    const feeds: Record<string, OrtTensor> = {
      ...this.#parameters,
      [names.ids]: int(packed.ids, shape),
      [names.mask]: float(tables.mask, [tables.mask.length / time, time]),
      [names.cos]: float(tables.cos, [time, half]),
      [names.sin]: float(tables.sin, [time, half]),
      [names.index]: int(packed.index, selected),
    };
    if (options.hidden) return feeds;
    feeds[names.target] = int(packed.target, selected);
    feeds[names.inverseTemperature] = float(Float32Array.of(1 / options.temperature), []);
    if (options.backward) {
      feeds[names.inverse] = int(packed.inverse, shape);
      feeds[names.weight] = float(packed.weight, selected);
      if (options.entropy) feeds[names.entropyWeight] = float(packed.entropyWeight, selected);
      if (options.against !== undefined) {
        const { hidden, weight } = packAgainst(rows, batch, options.against, selected[0]);
        const { head } = options.against;
        const features = head.shape[1];
        feeds[names.againstHidden] = float(hidden, [selected[0], features]);
        feeds[names.againstHead] = float(
          head.data.subarray(0, config.vocabSize * features),
          [config.vocabSize, features],
        );
        feeds[names.divergenceWeight] = float(weight, selected);
      }
    }
    return feeds;
  }

  #positions(time: number): PositionTables {
    let tables = this.#tables.get(time);
    if (tables === undefined) {
      tables = positionTables(this.#settings.config, time);
      // Lengths differ from batch to batch; the recent ones are enough.
      let held = tables.mask.length;
      for (const { mask } of this.#tables.values()) held += mask.length;
      if (held > MASK_BUDGET) this.#tables.clear();
      this.#tables.set(time, tables);
    }
    return tables;
  }

  #session(
    { backward, entropy, hidden = false, against }: RunOptions,
  ): Effect.Effect<InferenceSession, EngineError> {
    const features = against?.head.shape[1];
    const key = `${backward}/${entropy}/${hidden}/${features}`;
    const known = this.#sessions.get(key);
    if (known !== undefined) return Effect.succeed(known);
    const { config, provider, chunk, recompute = false } = this.#settings;
    const graph: LlamaGraphOptions = {
      ...{ backward, entropy, hidden, recompute },
      ...(features !== undefined && { against: features }),
      ...(chunk !== undefined && { chunk }),
      ...(provider.name === "webgpu" && { portable: true }),
    };
    return Effect.acquireRelease(
      Effect.suspend(() => createSession(llamaGraph(config, graph), { ...provider.options, ...LEAN })),
      (session) => Effect.promise(() => session.release()),
    ).pipe(
      Scope.provide(this.#scope),
      Effect.tap((session) => Effect.sync(() => this.#sessions.set(key, session))),
    );
  }
}
