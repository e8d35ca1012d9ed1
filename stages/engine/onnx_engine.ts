import { Effect, Layer, Semaphore } from "effect";
import { EngineError, type FileError } from "../errors.ts";
import { AdamWState } from "./adamw_state.ts";
import { addLora } from "./add_lora.ts";
import { checkRows } from "./check_rows.ts";
import { loadCheckpointFiles, saveCheckpointFiles } from "./checkpoint_files.ts";
import { type AdamW, Engine, type EngineShape, type LogprobOptions, type WeightedRow } from "./engine.ts";
import { GradientBuffer } from "./gradient_buffer.ts";
import type { LlamaConfig } from "./llama_config.ts";
import { isAdapterName, type Lora } from "./lora.ts";
import { LlamaRunner } from "./onnx/llama_runner.ts";
import { chooseProvider, type ProviderName } from "./onnx/provider.ts";
import type { PackableRow } from "./pack_rows.ts";
import { planRuns } from "./plan_runs.ts";
import { type LlamaModel, readLlamaFolder } from "./read_llama_folder.ts";
import { staysInCache } from "./stays_in_cache.ts";
import { startingPolicy } from "./starting_policy.ts";
import {
  cloneWeights,
  countParameters,
  float32Tensors,
  type StoredTensor,
  type Tensor,
  type Weights,
  widen,
} from "./weights.ts";

/**
 * A model given as a Hugging Face folder or GGUF file, as architecture and parameters
 * (copied), or as a whole that is taken over: its parameters are trained in place,
 * and those that adapters freeze stay shared with who else holds them.
 */
export type ModelSource =
  | { readonly folder: string }
  | { readonly model: LlamaModel }
  | { readonly config: LlamaConfig; readonly weights: Weights; readonly source?: LlamaModel["source"] };

/** Settings of {@link onnxEngine}. */
export interface OnnxEngineOptions {
  /** Default `auto`. */
  readonly provider?: ProviderName;
  /** Threads of the CPU provider. Default: one per hardware thread. */
  readonly threads?: number;
  /** Most tokens of a micro-batch, padding included. Default 4096. */
  readonly tokenBudget?: number;
  /** Most logits held at once; the output head runs in chunks above it. Default 2²³. */
  readonly logitBudget?: number;
  /**
   * Keep only what passes between blocks and compute the rest of the activations again
   * in the backward pass: about a third more arithmetic for a fraction of the memory.
   * Default false.
   */
  readonly recompute?: boolean;
  /**
   * Compute what rows have in common at their start once. Default true for a model of
   * more than 4 million parameters; a small one is computed faster side by side.
   */
  readonly sharesPrefixes?: boolean | undefined;
  /** Trains adapters (fresh ones, or those of the folder) and freezes the rest. */
  readonly lora?: Lora;
  /**
   * Adapters of the policy that `reference` means, none = the base alone. Default: those that the
   * model has now; a run that resumes holds later ones than it started from.
   */
  readonly start?: Weights;
  /** Only evaluates: nothing is trained, and no memory is kept for gradients and moments. */
  readonly frozen?: boolean;
}

/**
 * The engine on ONNX Runtime: one graph computes log-probabilities and, for
 * `accumulate`, their weighted gradient by reverse-mode differentiation; the
 * optimiser runs over the parameters in place. Fails with FileError if the model
 * cannot be read and EngineError if the provider does not answer.
 */
export function onnxEngine(
  model: ModelSource,
  options: OnnxEngineOptions = {},
): Layer.Layer<Engine, EngineError | FileError> {
  return Layer.effect(Engine, makeEngine(model, options));
}

function makeEngine(model: ModelSource, options: OnnxEngineOptions) {
  return Effect.gen(function* () {
    const { tokenBudget = 4096, logitBudget = 2 ** 23, recompute = false } = options;
    for (const [name, value] of Object.entries({ tokenBudget, logitBudget })) {
      if (Number.isInteger(value) && value >= 1) continue;
      const reason = `${name} is ${value}, expected an integer ≥ 1`;
      return yield* Effect.fail(new EngineError({ operation: "start the engine", reason }));
    }
    const provider = yield* chooseProvider(
      options.provider ?? "auto",
      options.threads ?? navigator.hardwareConcurrency,
    );
    const given = "folder" in model
      ? yield* readLlamaFolder(model.folder)
      : "model" in model
      ? model.model
      : { source: undefined, ...model, weights: cloneWeights(model.weights) };
    const { config, weights, source, base } = yield* adapt(given, options.lora);
    const trained = options.frozen ? new Map<string, Tensor>() : new Map(
      [...float32Tensors(weights)].filter(([name]) => config.lora === undefined || isAdapterName(name)),
    );
    if (config.storage !== undefined && config.lora === undefined && !options.frozen) {
      const reason =
        `the matrices are held in ${config.storage}, but all of them are to be trained: train adapters`;
      return yield* Effect.fail(new EngineError({ operation: "start the engine", reason }));
    }
    const optimizer = new AdamWState(trained);
    const state = {
      ...{ config, weights, trained, optimizer },
      ...(source !== undefined && { source }),
      ...(base !== undefined && { base }),
    };
    const gradient = new GradientBuffer(trained);
    // A micro-batch holds at most this many positions.
    const positions = Math.max(tokenBudget, config.maxPositions);
    const chunk = positions * config.vocabSize <= logitBudget
      ? undefined
      : Math.max(1, Math.floor(logitBudget / config.vocabSize));
    const scope = yield* Effect.scope;
    const runner = new LlamaRunner({ config, weights, provider, chunk, recompute }, scope);
    // Its arrays are those of `runner`, its sessions are made when it is asked.
    const frozen = config.lora === undefined
      ? undefined
      : new LlamaRunner({ ...startingPolicy(config, weights, options.start), provider, chunk }, scope);
    const lock = yield* Semaphore.make(1);
    const counters = { forwardTokens: 0, backwardTokens: 0 };
    const limits = { vocabularySize: config.vocabSize, contextLength: config.maxPositions };

    const plan = (rows: readonly PackableRow[], lengths: readonly number[]) =>
      planRuns(rows, lengths, {
        tokenBudget,
        sharesPrefixes: options.sharesPrefixes ?? !staysInCache(config),
      });

    /** Runs `rows`, those that `train` says with gradient, and scatters the values back to their tokens. */
    const evaluate = (
      operation: string,
      weighted: readonly WeightedRow[],
      settings: LogprobOptions,
      backward: boolean,
      model = runner,
    ) =>
      Effect.gen(function* () {
        const rows = yield* Effect.try({
          try: () => checkRows(weighted, settings, { ...limits, operation }),
          catch: (cause) => cause as EngineError,
        });
        const { temperature = 1 } = settings;
        const logprobs = rows.map(({ ids }) => new Float32Array(ids.length));
        const entropy = rows.map(({ ids }) => new Float32Array(ids.length));
        const divergence = rows.map(({ ids }) => new Float32Array(ids.length));
        const entropyWeighted = backward && rows.some((row) => row.entropyWeights?.length);
        const trained = rows.map((row) => backward && hasWeight(row));
        for (const pass of [true, false]) {
          const lengths = rows.map(({ ids, wanted }, r) =>
            trained[r] === pass && wanted.length > 0 ? ids.length - 1 : 0
          );
          const run = {
            backward: pass,
            temperature,
            entropy: (settings.entropy ?? false) || (pass && entropyWeighted),
            ...(pass && settings.against !== undefined && { against: settings.against }),
          };
          for (const batch of plan(rows, lengths)) {
            const outputs = yield* model.run(rows, batch, run);
            let i = 0;
            for (const r of batch.rows) {
              for (const t of rows[r].wanted) {
                logprobs[r][t] = outputs.logprobs.data[i];
                if (run.entropy) entropy[r][t] = outputs.entropyOut.data[i];
                if (run.against && rows[r].compared?.[t]) divergence[r][t] = outputs.divergence.data[i];
                i++;
              }
              counters[pass ? "backwardTokens" : "forwardTokens"] += rows[r].ids.length;
            }
            if (pass) gradient.add(outputs, rows, batch);
          }
        }
        return {
          logprobs,
          ...(settings.entropy && { entropy }),
          ...(settings.against !== undefined && { divergence }),
        };
      }).pipe(Effect.withSpan("engine"));

    const logprobs = (
      rows: readonly (readonly number[])[],
      settings: LogprobOptions = {},
      model = runner,
    ) => {
      const unweighted = rows.map((ids) => ({ ids, weights: new Uint8Array(ids.length) }));
      return lock.withPermit(evaluate("compute log-probabilities", unweighted, settings, false, model));
    };
    /** Hidden states of the chosen tokens, in their order. */
    const distributions: EngineShape["distributions"] = (given, { select } = {}) =>
      Effect.gen(function* () {
        const unweighted = given.map((ids) => ({ ids, weights: new Uint8Array(ids.length) }));
        const rows = yield* Effect.try({
          try: () =>
            checkRows(unweighted, { ...(select && { select }) }, {
              ...limits,
              operation: "compute hidden states",
            }),
          catch: (cause) => cause as EngineError,
        });
        const features = config.hiddenSize;
        const hidden = rows.map(({ wanted }) => new Float32Array(wanted.length * features));
        const lengths = rows.map(({ ids, wanted }) => wanted.length > 0 ? ids.length - 1 : 0);
        const run = { backward: false, entropy: false, temperature: 1, hidden: true };
        for (const batch of plan(rows, lengths)) {
          const { data } = (yield* runner.run(rows, batch, run)).hidden;
          let i = 0;
          for (const r of batch.rows) {
            const size = rows[r].wanted.length * features;
            hidden[r].set(data.subarray(i, i + size));
            i += size;
            counters.forwardTokens += rows[r].ids.length;
          }
        }
        const head = widen(weights.get(config.tied ? "model.embed_tokens.weight" : "lm_head.weight")!);
        return { head, hidden };
      }).pipe(Effect.withSpan("engine"));

    const service: EngineShape = {
      provider: provider.description,
      vocabularySize: config.vocabSize,
      contextLength: config.maxPositions,
      parameters: countParameters(weights),
      logprobs: (rows, settings) => logprobs(rows, settings),
      ...(frozen !== undefined && { reference: (rows, settings) => logprobs(rows, settings, frozen) }),
      distributions: (rows, settings) => lock.withPermit(distributions(rows, settings)),
      accumulate: (rows, settings = {}) =>
        lock.withPermit(evaluate("accumulate gradients", rows, settings, true)),
      optimStep: (settings) =>
        lock.withPermit(optimStep(optimizer, trained, gradient, settings)).pipe(Effect.withSpan("engine")),
      weights: Effect.succeed(weights),
      save: (folder) => lock.withPermit(saveCheckpointFiles(folder, state)),
      load: (folder) =>
        lock.withPermit(
          Effect.tap(loadCheckpointFiles(folder, state), () => Effect.sync(() => gradient.clear())),
        ),
      counters: Effect.sync(() => ({ ...counters })),
    };
    return service;
  });
}

interface Adaptable {
  readonly config: LlamaConfig;
  readonly weights: Map<string, StoredTensor>;
  readonly source?: LlamaModel["source"] | undefined;
  readonly base?: string;
}

function adapt(model: Adaptable, lora: Lora | undefined): Effect.Effect<Adaptable, EngineError> {
  if (lora === undefined) return Effect.succeed(model);
  return Effect.try({
    try: () => ({ ...model, ...addLora(model, lora) }),
    catch: (cause) => new EngineError({ operation: "start the engine", reason: (cause as Error).message }),
  });
}

function hasWeight({ wanted, weights, entropyWeights, divergenceWeights }: PackableRow): boolean {
  return wanted.some((t) => weights?.[t] || entropyWeights?.[t] || divergenceWeights?.[t]);
}

/** A gradient that is not finite is dropped, so that the next step is not spoilt by it. */
function optimStep(
  optimizer: AdamWState,
  weights: ReadonlyMap<string, Tensor>,
  gradient: GradientBuffer,
  settings: AdamW,
) {
  return Effect.try({
    try: () => optimizer.update(weights, gradient.tensors, settings),
    catch: (cause) =>
      new EngineError({ operation: "take an optimiser step", reason: (cause as Error).message }),
  }).pipe(Effect.ensuring(Effect.sync(() => gradient.clear())));
}
