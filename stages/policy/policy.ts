/**
 * The policy service: token ids in, token ids and log-probabilities out. Text
 * exists only at its edges; a sampled id is never decoded and encoded again.
 *
 * @module
 */
import { Context, type Effect } from "effect";
import type { PolicyError } from "../errors.ts";
import type { Weights } from "../engine/weights.ts";
import type { Chat } from "./chat.ts";

/** One sequence to continue. */
export interface GenerateRequest {
  /** The whole context, from the first token on. */
  readonly ids: readonly number[];
  /** Most tokens to sample, ≥ 1. */
  readonly maxTokens: number;
  /** 0 = greedy. */
  readonly temperature: number;
  /** Coordinates of the random numbers (stages/seed.ts); one uniform number a token. */
  readonly seed: string;
  /**
   * Names the cached keys and values: the longest common prefix of `ids` and of
   * what this session last held is not computed again.
   */
  readonly session: string;
  /** A session whose cache a new session starts from. */
  readonly parent?: string;
}

/** What was sampled: `ids` ends with the stop id if one was sampled. */
export interface Generation {
  readonly ids: readonly number[];
  /** log-softmax(logits / temperature) of each sampled id (temperature 1 if greedy). */
  readonly logprobs: readonly number[];
  /** `stop`: a stop id was sampled; `length`: maxTokens reached; `context`: the context is full. */
  readonly stopReason: "stop" | "length" | "context";
}

/** Counted by the service, so that budgets cannot be misstated by a pipeline. */
export interface PolicyCounters {
  /** Tokens sampled. */
  readonly generatedTokens: number;
  /** Context tokens computed (cached prefixes are not). */
  readonly prefillTokens: number;
}

/** The service's methods. */
export interface PolicyShape {
  /** Tokenizer and chat template. */
  readonly chat: Chat;
  /** Longest sequence, in tokens, prompt and reply together. */
  readonly contextLength: number;
  /** Continues every request until it stops; one generation a request, in their order. */
  readonly generate: (
    requests: readonly GenerateRequest[],
  ) => Effect.Effect<readonly Generation[], PolicyError>;
  /** Drops the caches of these sessions, or of all. */
  readonly release: (sessions?: readonly string[]) => Effect.Effect<void>;
  /** Takes a copy of `weights` as behaviour policy `version`; drops every cache. */
  readonly sync: (weights: Weights, version: number) => Effect.Effect<void, PolicyError>;
  /** Optimiser step whose weights are being sampled from. */
  readonly version: Effect.Effect<number>;
  readonly counters: Effect.Effect<PolicyCounters>;
}

/** The policy service. */
export class Policy extends Context.Service<Policy, PolicyShape>()("pivot/Policy") {}
