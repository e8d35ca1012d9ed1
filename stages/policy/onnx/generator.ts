import type * as ort from "onnxruntime-node";
import type { LlamaConfig } from "../../engine/llama_config.ts";
import type { Weights } from "../../engine/weights.ts";
import { PolicyError } from "../../errors.ts";
import { hash32 } from "../../seed.ts";
import type { GenerateRequest, Generation, PolicyCounters } from "../policy.ts";
import { BatchDecoder, type DecodeRow } from "./batch_decoder.ts";
import { KeyValueCache } from "./cache/key_value_cache.ts";
import { BufferPool } from "./cache/buffer_pool.ts";
import type { Lane } from "./lanes/lane.ts";
import { nextBatch } from "./_next_batch.ts";
import { sharedPrefixes } from "./_shared_prefixes.ts";

/** Settings of a {@link Generator}. */
export interface GeneratorOptions {
  readonly config: LlamaConfig;
  readonly weights: Weights;
  /** Ids that end a generation. */
  readonly stopIds: ReadonlySet<number>;
  /** Version of `weights`. Default 0. */
  readonly version?: number;
  /** Longest sequence; the model's `maxPositions` by default and at most. */
  readonly contextLength?: number;
  /** Most sequences that are decoded together. Default 32. */
  readonly batchSize?: number;
  /** Most tokens a run samples for a sequence before the batch is put together anew. Default 32. */
  readonly chunk?: number;
  /** Most new tokens a run adds to a cache; longer prompts are computed in parts. Default 256. */
  readonly prefill?: number;
  /** Whether matrices are held a second time, packed; for more than 4 million parameters by default. */
  readonly packWeights?: boolean | undefined;
  readonly sessionOptions?: ort.InferenceSession.SessionOptions;
}

/** Attention scores of a prefill run, at most: 256 MiB. */
const MOST_SCORES = 2 ** 26;

interface Sequence {
  readonly request: GenerateRequest;
  /** Empty while the sequence waits for `prefix`. */
  cache: KeyValueCache;
  /** What its context has in common with another one of this call, until that is computed. */
  prefix: { readonly of: Sequence; readonly length: number } | undefined;
  readonly seedHash: number;
  readonly limit: number;
  readonly ids: number[];
  readonly logprobs: number[];
  stopped: boolean;
}

/**
 * Batched sampling from one model with a cache per session. Calls must not overlap.
 *
 * @example
 * ```ts
 * import { initLlamaWeights } from "../../engine/init_llama_weights.ts";
 * import { Generator } from "./generator.ts";
 *
 * const config = {
 *   vocabSize: 32, hiddenSize: 8, intermediateSize: 16, layers: 1, heads: 2, kvHeads: 1,
 *   headDim: 4, maxPositions: 64, ropeTheta: 10000, rmsNormEps: 1e-6, tied: true,
 * };
 * const weights = initLlamaWeights(config, 1);
 * const generator = await Generator.create({ config, weights, stopIds: new Set([2]) });
 * const [{ ids, logprobs, stopReason }] = await generator.generate([
 *   { ids: [1, 5, 6], maxTokens: 4, temperature: 1, seed: "7/0/0", session: "0/0" },
 * ]);
 * console.log(ids.length === logprobs.length, stopReason);
 * await generator.close();
 * ```
 */
export class Generator implements Lane {
  readonly contextLength: number;
  readonly #options: Omit<GeneratorOptions, "weights">;
  readonly #decoder: BatchDecoder;
  readonly #caches = new Map<string, KeyValueCache>();
  readonly #pool = new BufferPool();
  #version: number;
  #generatedTokens = 0;
  #prefillTokens = 0;

  private constructor(options: GeneratorOptions, contextLength: number, decoder: BatchDecoder) {
    const { weights: _, ...rest } = options;
    // The weights are not held: those of a later synchronisation take their place.
    this.#options = rest;
    this.contextLength = contextLength;
    this.#version = options.version ?? 0;
    this.#decoder = decoder;
  }

  /** Builds the decode graphs and their sessions. Throws {@link PolicyError} if the weights do not fit. */
  static async create(options: GeneratorOptions): Promise<Generator> {
    const { config } = options;
    const contextLength = Math.min(config.maxPositions, options.contextLength ?? config.maxPositions);
    const decoder = await BatchDecoder.create({ ...options, contextLength });
    try {
      await decoder.sync(options.weights);
    } catch (error) {
      await decoder.close();
      throw error;
    }
    return new Generator(options, contextLength, decoder);
  }

  /** Frees the sessions. */
  async close(): Promise<void> {
    this.#caches.clear();
    this.#pool.clear();
    await this.#decoder.close();
  }

  get version(): number {
    return this.#version;
  }

  get counters(): PolicyCounters {
    return { generatedTokens: this.#generatedTokens, prefillTokens: this.#prefillTokens };
  }

  /** Takes a copy of `weights` and drops every cache. Throws {@link PolicyError}. */
  async sync(weights: Weights, version: number): Promise<void> {
    await this.#decoder.sync(weights);
    this.release();
    this.#version = version;
  }

  /** Drops the caches of these sessions, or of all. */
  release(sessions?: readonly string[]): void {
    for (const session of sessions ?? [...this.#caches.keys()]) {
      this.#caches.get(session)?.release();
      this.#caches.delete(session);
    }
  }

  /**
   * Continues every request until it stops. What is sampled follows from the
   * request and its seed; how requests share batches follows from the requests.
   * Throws {@link PolicyError} for a request that cannot be decoded, and between two
   * runs once `signal` is aborted.
   */
  async generate(requests: readonly GenerateRequest[], signal?: AbortSignal): Promise<Generation[]> {
    const sessions = new Set<string>();
    for (const request of requests) this.#check(request, sessions);
    const sequences = this.#open(requests);
    let active = sequences;
    while (active.length > 0) {
      if (signal?.aborted) {
        throw new PolicyError({ operation: "generate", reason: "the call was interrupted" });
      }
      const ready = active.filter((sequence) => this.#isReady(sequence));
      await this.#step(ready, ready.length < active.length);
      active = active.filter((sequence) => !sequence.stopped && sequence.ids.length < sequence.limit);
    }
    return sequences.map(({ ids, logprobs, stopped, limit, request }) => ({
      ids,
      logprobs,
      stopReason: stopped ? "stop" : limit < request.maxTokens ? "context" : "length",
    }));
  }

  /** Whether a sequence has its start: what it shares with another one is copied as soon as it is there. */
  #isReady(sequence: Sequence): boolean {
    const { prefix, request } = sequence;
    if (prefix === undefined) return true;
    if (prefix.of.cache.length < prefix.length) return false;
    sequence.cache = prefix.of.cache.fork(prefix.length);
    sequence.prefix = undefined;
    this.#caches.set(request.session, sequence.cache);
    return true;
  }

  async #step(active: readonly Sequence[], othersWait: boolean): Promise<void> {
    const { batchSize = 32, chunk = 32, prefill = 256, config, stopIds } = this.#options;
    const batch = nextBatch(
      active.map(({ request, cache, ids, limit }) => ({
        pending: request.ids.length + ids.length - cache.length,
        past: cache.length,
        remaining: limit - ids.length,
      })),
      {
        rows: batchSize,
        steps: chunk,
        prefill,
        scores: MOST_SCORES,
        heads: config.heads,
        // Sequences that wait are to sample together with those that they wait for.
        prefillsAlone: othersWait || this.#decoder.prefillsAlone,
      },
    );
    const members = batch.rows.map((i) => active[i]);
    const rows = members.map(({ request, cache, seedHash, limit, ids }): DecodeRow => ({
      cache,
      ids: [...request.ids.slice(cache.length), ...ids.slice(Math.max(0, cache.length - request.ids.length))]
        .slice(0, prefill),
      seedHash,
      seedIndex: ids.length,
      temperature: request.temperature,
      limit: Math.min(batch.steps, limit - ids.length),
    }));
    const results = await this.#decoder.run(rows, batch.steps, batch.partial);
    members.forEach((sequence, i) => {
      // A token that was sampled before is part of no context yet: it is no prefill.
      this.#prefillTokens += rows[i].ids.length - (sequence.ids.length > 0 ? 1 : 0);
      this.#generatedTokens += results[i].ids.length;
      sequence.ids.push(...results[i].ids);
      sequence.logprobs.push(...results[i].logprobs);
      const last = results[i].ids.at(-1);
      sequence.stopped = last !== undefined && stopIds.has(last);
    });
  }

  /**
   * Finds each request's cache; a parent's is copied as it was before this call. Of those that
   * have neither, one that begins as an earlier one waits for it.
   */
  #open(requests: readonly GenerateRequest[]): Sequence[] {
    const found = requests.map(({ session, parent, ids }) => {
      const own = this.#caches.get(session);
      const source = own ?? (parent === undefined ? undefined : this.#caches.get(parent));
      // The last token is always computed: its logits are needed.
      const kept = source === undefined ? 0 : Math.min(source.commonPrefix(ids), ids.length - 1);
      return { own, kept, copy: source === own ? undefined : source?.fork(kept) };
    });
    const isNew = found.map(({ own, copy }) => own === undefined && copy === undefined);
    const shared = sharedPrefixes(requests.map(({ ids }, i) => isNew[i] ? ids : []));
    const sequences: Sequence[] = [];
    for (const [i, request] of requests.entries()) {
      const { own, kept, copy } = found[i];
      own?.truncate(kept);
      const cache = own ?? copy ?? new KeyValueCache(this.#decoder.cacheShape, this.#pool);
      const start = shared[i];
      if (start === undefined) this.#caches.set(request.session, cache);
      sequences.push({
        request,
        cache,
        prefix: start && { of: sequences[start.of], length: start.length },
        seedHash: hash32(request.seed),
        limit: Math.min(request.maxTokens, this.contextLength - request.ids.length),
        ids: [],
        logprobs: [],
        stopped: false,
      });
    }
    return sequences;
  }

  #check(request: GenerateRequest, sessions: Set<string>): void {
    const fail = (reason: string): never => {
      throw new PolicyError({ operation: `generate for session ${request.session}`, reason });
    };
    const { ids, maxTokens, temperature } = request;
    const { vocabSize } = this.#options.config;
    if (ids.length === 0) fail("the prompt is empty");
    if (ids.length > this.contextLength - 1) {
      fail(
        `the prompt has ${ids.length} tokens, the context of ${this.contextLength} has room for ${
          this.contextLength - 1
        }`,
      );
    }
    const foreign = ids.find((id) => !Number.isInteger(id) || id < 0 || id >= vocabSize);
    if (foreign !== undefined) fail(`token id ${foreign} is not in a vocabulary of ${vocabSize}`);
    if (!Number.isInteger(maxTokens) || maxTokens < 1) fail(`maxTokens is ${maxTokens}, need an integer ≥ 1`);
    if (!(temperature >= 0 && temperature < Infinity)) {
      fail(`temperature is ${temperature}, need a number ≥ 0`);
    }
    if (sessions.has(request.session)) fail("two requests of one call name it");
    sessions.add(request.session);
  }
}
