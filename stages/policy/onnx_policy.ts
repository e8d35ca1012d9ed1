import { Effect, Layer, Semaphore } from "effect";
import type { LlamaConfig } from "../engine/llama_config.ts";
import { chooseProvider, type ProviderName } from "../engine/onnx/provider.ts";
import type { Weights } from "../engine/weights.ts";
import { type EngineError, PolicyError } from "../errors.ts";
import type { Chat } from "./chat.ts";
import { defaultLanes } from "./onnx/lanes/default_lanes.ts";
import { ParallelLanes } from "./onnx/lanes/parallel_lanes.ts";
import { Policy } from "./policy.ts";

/** Settings of {@link onnxPolicy}. */
export interface OnnxPolicyOptions {
  readonly config: LlamaConfig;
  readonly weights: Weights;
  readonly chat: Chat;
  /** Optimiser step that `weights` come from. Default 0. */
  readonly version?: number;
  /** Longest sequence; the model's `maxPositions` by default and at most. */
  readonly contextLength?: number;
  /** Most sequences that are decoded together. Default 32. */
  readonly batchSize?: number;
  /** Most tokens sampled before finished sequences leave a batch, 1 to 32. Default 32. */
  readonly chunk?: number;
  /** Whether a large model's matrices are held a second time, packed for sampling. Default true. */
  readonly packWeights?: boolean;
  /** Default `cpu`. */
  readonly provider?: ProviderName;
  /** Threads of ONNX Runtime, shared out over the lanes. Default 1. */
  readonly threads?: number;
  /** Batches that the CPU decodes side by side, all but the first in workers. Default {@link defaultLanes}. */
  readonly lanes?: number;
}

/**
 * The policy as a Llama-family model that ONNX Runtime decodes in this process.
 * Calls are served one after the other; within a call, lanes decode side by side.
 */
export function onnxPolicy(options: OnnxPolicyOptions): Layer.Layer<Policy, PolicyError | EngineError> {
  return Layer.effect(Policy, make(options));
}

const make = Effect.fn("onnxPolicy")(function* (options: OnnxPolicyOptions) {
  const { chat, config, weights } = options;
  if (chat.vocabularySize > config.vocabSize) {
    return yield* Effect.fail(
      new PolicyError({
        operation: "pair tokenizer and model",
        reason: `the tokenizer has ${chat.vocabularySize} ids, the model a vocabulary of ${config.vocabSize}`,
      }),
    );
  }
  const wanted = options.lanes ?? defaultLanes(config);
  const threads = Math.max(1, Math.floor((options.threads ?? 1) / wanted));
  const provider = yield* chooseProvider(options.provider ?? "cpu", threads);
  const lanes = provider.name === "cpu" ? wanted : 1;
  const contextLength = Math.min(config.maxPositions, options.contextLength ?? config.maxPositions);
  const generator = yield* Effect.acquireRelease(
    attempt("build the decoder", () =>
      ParallelLanes.create({
        config,
        weights,
        stopIds: chat.stopIds,
        sessionOptions: provider.options,
        version: options.version ?? 0,
        contextLength,
        packWeights: options.packWeights === false ? false : undefined,
        ...(options.batchSize === undefined ? {} : { batchSize: options.batchSize }),
        ...(options.chunk === undefined ? {} : { chunk: options.chunk }),
      }, lanes)),
    (generator) => Effect.promise(() => generator.close()),
  );
  // Caches and buffers belong to one call at a time.
  const turn = yield* Semaphore.make(1);
  return Policy.of({
    chat,
    contextLength,
    generate: (requests) =>
      turn.withPermits(1)(attempt("generate", (signal) => generator.generate(requests, signal))).pipe(
        Effect.withSpan("policy"),
      ),
    release: (sessions) => turn.withPermits(1)(Effect.sync(() => generator.release(sessions))),
    sync: (weights, version) =>
      turn.withPermits(1)(attempt("take weights", () => generator.sync(weights, version))),
    version: Effect.sync(() => generator.version),
    counters: Effect.sync(() => generator.counters),
  });
});

/** An interrupted call ends after the run it is in, so that nothing uses the session behind its back. */
function attempt<A>(
  operation: string,
  run: (signal: AbortSignal) => Promise<A>,
): Effect.Effect<A, PolicyError> {
  return Effect.callback((resume) => {
    const controller = new AbortController();
    const settled = run(controller.signal).then(
      (value) => resume(Effect.succeed(value)),
      (cause) =>
        resume(Effect.fail(
          cause instanceof PolicyError
            ? cause
            : new PolicyError({ operation, reason: cause instanceof Error ? cause.message : String(cause) }),
        )),
    );
    return Effect.promise(() => {
      controller.abort();
      return settled;
    });
  });
}
