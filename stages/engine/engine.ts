/**
 * The numeric service that all algorithms share. It knows no algorithm: a loss
 * is a pure function of log-probabilities (stages/update), and the engine only
 * ever adds Σ w·∇logp to its gradient and takes optimiser steps.
 *
 * @module
 */
import { Context, type Effect } from "effect";
import type { EngineError, FileError } from "../errors.ts";
import type { Tensor, Weights } from "./weights.ts";

/** Settings of a forward pass. */
export interface LogprobOptions {
  /** log-softmax(logits / temperature); the temperature that sampled the tokens. Default 1. */
  readonly temperature?: number;
  /** Also return the entropy (nats) of each next-token distribution. */
  readonly entropy?: boolean;
  /**
   * Per row, non-zero at the tokens whose values are wanted; the others are 0 and
   * cost no output head. Tokens with a weight are always computed. Default: all.
   */
  readonly select?: readonly ArrayLike<number>[];
  /** Distributions q of the tokens that `select` chooses, for `divergenceWeights`. Needs `select`. */
  readonly against?: Distributions;
}

/** What next-token distributions are made from: softmax(hidden·headᵀ / temperature). */
export interface Distributions {
  /** [vocabulary, features]. */
  readonly head: Tensor;
  /** Per row [chosen tokens, features], in the order of the tokens. */
  readonly hidden: readonly Float32Array[];
}

/** Per row, per token: entry `t` belongs to `ids[t]` given `ids[0..t)`; entry 0 is 0. */
export interface Logprobs {
  readonly logprobs: readonly Float32Array[];
  readonly entropy?: readonly Float32Array[];
  /** KL(π‖q) in nats of the tokens that got gradient, where `accumulate` had distributions q. */
  readonly divergence?: readonly Float32Array[];
}

/** One row of `accumulate`: token weights (and entropy weights) aligned with `ids`; entry 0 is ignored. */
export interface WeightedRow {
  /** The whole row, from the first token on. */
  readonly ids: readonly number[];
  /** w_t, one a token. */
  readonly weights: ArrayLike<number>;
  /** e_t, one a token; default none. */
  readonly entropyWeights?: ArrayLike<number>;
  /** Weights of KL(π‖q) over the whole vocabulary, q being `against`. */
  readonly divergenceWeights?: ArrayLike<number>;
}

/** AdamW with decoupled weight decay (Loshchilov & Hutter 2019) and global-norm clipping. */
export interface AdamW {
  /** Learning rate of this step. */
  readonly lr: number;
  /** Decay of the first moment, the mean of the gradient. */
  readonly beta1: number;
  /** Decay of the second moment, the mean of its square. */
  readonly beta2: number;
  /** Added to the root of the second moment. */
  readonly eps: number;
  /** Parameters shrink by the share lr·weightDecay a step. */
  readonly weightDecay: number;
  /** Gradients are scaled so that their global 2-norm is at most this; 0 = off. */
  readonly clipNorm: number;
}

/** What one optimiser step did. */
export interface OptimReport {
  /** 2-norm of the accumulated gradient before clipping. */
  readonly gradNorm: number;
  /** Number of optimiser steps taken so far, this one included. */
  readonly step: number;
}

/** Counters since the engine was made. */
export interface EngineCounters {
  /** Tokens of rows that only went forward. */
  readonly forwardTokens: number;
  /** Tokens of rows that went forward and back. */
  readonly backwardTokens: number;
}

/** The service's methods. */
export interface EngineShape {
  /** Execution provider and its device, for people: `cpu (2 threads)`. */
  readonly provider: string;
  readonly vocabularySize: number;
  /** Longest row, in tokens. */
  readonly contextLength: number;
  /** How many numbers are held, trained or not. */
  readonly parameters: number;
  /** log π(ids_t | ids before t) of every row under the current parameters. */
  readonly logprobs: (
    rows: readonly (readonly number[])[],
    options?: LogprobOptions,
  ) => Effect.Effect<Logprobs, EngineError>;
  /**
   * Log-probabilities under the policy that training started from: the reference of
   * KL methods. It shares the base with what is trained, adapters that were there
   * at the start are copied. Absent where all parameters are trained.
   */
  readonly reference?: EngineShape["logprobs"];
  /** Hidden states and head of the tokens that `select` chooses (default: all but the first); absent in engines that keep theirs. */
  readonly distributions?: (
    rows: readonly (readonly number[])[],
    options?: Pick<LogprobOptions, "select">,
  ) => Effect.Effect<Distributions, EngineError>;
  /** Adds Σ_t w_t ∇log π(ids_t) + Σ_t e_t ∇H_t + Σ_t k_t ∇KL(π‖q)_t to the gradient that the next `optimStep` ASCENDS. */
  readonly accumulate: (
    rows: readonly WeightedRow[],
    options?: LogprobOptions,
  ) => Effect.Effect<Logprobs, EngineError>;
  /** One AdamW step along the accumulated gradient, which is then zeroed. */
  readonly optimStep: (options: AdamW) => Effect.Effect<OptimReport, EngineError>;
  /** The live parameters; read them before the next `optimStep` or copy them. */
  readonly weights: Effect.Effect<Weights>;
  /** Writes config.json, model.safetensors (or adapters as PEFT does) and optimizer.safetensors into `folder`, which exists. */
  readonly save: (folder: string) => Effect.Effect<void, FileError>;
  /** Reads what `save` wrote, or any Hugging Face model folder (then without optimiser state). */
  readonly load: (folder: string) => Effect.Effect<void, FileError>;
  readonly counters: Effect.Effect<EngineCounters>;
}

/** The engine service. */
export class Engine extends Context.Service<Engine, EngineShape>()("pivot/Engine") {}
