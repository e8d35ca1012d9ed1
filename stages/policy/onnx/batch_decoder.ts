import * as ort from "onnxruntime-node";
import type { LlamaConfig } from "../../engine/llama_config.ts";
import { ortTensors } from "../../engine/onnx/ort_tensor.ts";
import type { Weights } from "../../engine/weights.ts";
import { PolicyError } from "../../errors.ts";
import { uniformAt } from "../../seed.ts";
import type { CacheShape, KeyValueCache } from "./cache/key_value_cache.ts";
import { ContinueSession } from "./continue_session.ts";
import { decodeWeights } from "./graphs/decode_weights.ts";
import { PackedPast } from "./cache/packed_past.ts";
import { prefillGraph } from "./graphs/prefill_graph.ts";

/** One sequence of a batch. */
export interface DecodeRow {
  readonly cache: KeyValueCache;
  /** Tokens that follow those in the cache, ≥ 1. */
  readonly ids: readonly number[];
  /** Random stream and the index of its first number to use. */
  readonly seedHash: number;
  readonly seedIndex: number;
  /** 0 = greedy. */
  readonly temperature: number;
  /** Most tokens to sample, ≥ 1. */
  readonly limit: number;
}

/** What one run sampled for a row: at most `limit` ids, the last one possibly a stop id. */
export interface DecodeResult {
  readonly ids: number[];
  readonly logprobs: number[];
}

type Outputs = ort.InferenceSession.OnnxValueMapType;

const MASKED = -1e9;
/**
 * Uniform numbers come in steps of 2^-24. Drawing at the middle of a step instead of
 * its start keeps u = 0 from picking a first id that has next to no probability.
 */
const HALF_STEP = 2 ** -25;

/** Settings of a {@link BatchDecoder}. */
export interface BatchDecoderOptions {
  readonly config: LlamaConfig;
  /** Longest sequence. */
  readonly contextLength: number;
  /** Ids that end a generation. */
  readonly stopIds: ReadonlySet<number>;
  /** Whether a session holds matrices, packed; see {@link ContinueSession}. */
  readonly packWeights?: boolean | undefined;
  readonly sessionOptions?: ort.InferenceSession.SessionOptions;
}

/**
 * Runs the two decode graphs on batches of rows and keeps their caches up to date:
 * `prefillGraph` takes in new tokens and then samples; `continueGraph` samples on where
 * every row has one token outside its cache.
 */
export class BatchDecoder {
  /** Of `prefillGraph`. */
  readonly #prefill: ort.InferenceSession;
  readonly #continue: ContinueSession;
  readonly #config: LlamaConfig;
  readonly #stopIds: ReadonlySet<number>;
  readonly #stops: ort.Tensor;
  readonly cacheShape: CacheShape;
  readonly #past: PackedPast;
  #weights: Record<string, ort.Tensor> = {};

  private constructor(
    prefill: ort.InferenceSession,
    continuing: ContinueSession,
    { config, stopIds }: BatchDecoderOptions,
  ) {
    this.#prefill = prefill;
    this.#continue = continuing;
    this.#config = config;
    this.#stopIds = stopIds;
    const stops = Uint8Array.from({ length: config.vocabSize }, (_, id) => stopIds.has(id) ? 1 : 0);
    this.#stops = new ort.Tensor("bool", stops, [config.vocabSize]);
    this.cacheShape = { lanes: 2 * config.layers, kvHeads: config.kvHeads, headDim: config.headDim };
    this.#past = new PackedPast(this.cacheShape);
  }

  /** Builds what does not depend on the weights; `sync` gives them. */
  static async create(options: BatchDecoderOptions): Promise<BatchDecoder> {
    const { config, contextLength } = options;
    const sessionOptions = { logSeverityLevel: 3, ...options.sessionOptions } as const;
    const prefill = await ort.InferenceSession.create(prefillGraph(config, contextLength), sessionOptions);
    return new BatchDecoder(prefill, new ContinueSession(options, sessionOptions), options);
  }

  /** Whether a run that takes in more than one token a row should sample no more than one. */
  get prefillsAlone(): boolean {
    return this.#continue.packsWeights;
  }

  /** Frees the sessions. */
  async close(): Promise<void> {
    await this.#prefill.release();
    await this.#continue.release();
  }

  /** Takes a copy of `weights`; caches computed before are void. Rejects with a {@link PolicyError}. */
  async sync(weights: Weights): Promise<void> {
    const packed = decodeWeights(this.#config, weights);
    await this.#continue.sync(packed);
    this.#weights = Object.assign({}, ...[...packed].map(([name, tensor]) => ortTensors(name, tensor)));
    // Slots beyond a row's past have weight 0, which stale NaN would not respect.
    this.#past.clear();
  }

  /**
   * Adds each row's new tokens to its cache and samples up to `steps` tokens; all
   * of them but the last enter the cache too. `discard` computes the new tokens only.
   */
  async run(rows: readonly DecodeRow[], steps: number, discard = false): Promise<DecodeResult[]> {
    const n = Math.max(...rows.map((row) => row.ids.length));
    // What need not be sampled is not worth a round of the Loop.
    const continues = n === 1 && !discard && rows.some((row) => row.cache.length > 0);
    const feeds = this.#feeds(rows, steps, n, continues);
    const outputs = await (continues ? this.#continue.run(feeds) : this.#prefill.run(feeds));
    const sampled = this.#results(outputs, rows);
    const results = discard ? rows.map(() => ({ ids: [], logprobs: [] })) : sampled;
    this.#store(outputs, rows, results, continues ? 0 : n);
    return results;
  }

  #feeds(
    rows: readonly DecodeRow[],
    steps: number,
    n: number,
    continues: boolean,
  ): Record<string, ort.Tensor> {
    const { kvHeads, headDim } = this.#config;
    const size = rows.length;
    const { slots: past, lanes } = this.#past.pack(rows.map((row) => row.cache));
    // Slots of the new tokens, which a prefill appends to the past.
    const appended = continues ? 0 : n;
    const ids = new BigInt64Array(size * n);
    const positions = new BigInt64Array(size * n);
    const mask = new Float32Array(size * (past + appended)).fill(MASKED);
    const uniforms = new Float32Array(steps * size);
    rows.forEach((row, i) => {
      const pad = n - row.ids.length;
      for (let j = pad; j < n; j++) {
        ids[i * n + j] = BigInt(row.ids[j - pad]);
        positions[i * n + j] = BigInt(row.cache.length + j - pad);
      }
      const start = i * (past + appended);
      mask.fill(0, start, start + row.cache.length);
      if (!continues) mask.fill(0, start + past + pad, start + past + n);
      for (let t = 0; t < steps; t++) {
        uniforms[t * size + i] = uniformAt(row.seedHash, row.seedIndex + t) + HALF_STEP;
      }
    });
    const float = (data: Float32Array, ...dims: number[]) => new ort.Tensor("float32", data, dims);
    const perRow = (of: (row: DecodeRow) => number) => Float32Array.from(rows, of);
    const feeds: Record<string, ort.Tensor> = {
      ...this.#weights,
      stops: this.#stops,
      ids: new ort.Tensor("int64", ids, [size, n]),
      positions: new ort.Tensor("int64", positions, [size, n]),
      mask: float(mask, size, 1, 1, past + appended),
      uniforms: float(uniforms, steps, size, 1),
      steps: new ort.Tensor("int64", BigInt64Array.of(BigInt(continues ? steps : steps - 1)), []),
      inverse_temperature: float(perRow((row) => row.temperature === 0 ? 1 : 1 / row.temperature), size, 1),
      greedy: new ort.Tensor("bool", Uint8Array.from(rows, (row) => row.temperature === 0 ? 1 : 0), [
        size,
        1,
      ]),
      limits: new ort.Tensor("int64", BigInt64Array.from(rows, (row) => BigInt(row.limit)), [size, 1]),
      empty: float(new Float32Array(0), size, kvHeads, 0, headDim),
    };
    lanes.forEach((lane, l) => {
      feeds[laneName("past", l)] = float(lane, size, kvHeads, past, headDim);
    });
    return feeds;
  }

  /** What the run sampled, row by row: up to a stop id or the row's limit. */
  #results(outputs: Outputs, rows: readonly DecodeRow[]): DecodeResult[] {
    const data = <T>(name: string) => (outputs[name] as ort.Tensor | undefined)?.data as T;
    const firstToken = data<BigInt64Array | undefined>("first_token");
    const firstLogprob = data<Float32Array>("first_logprob");
    const tokens = data<BigInt64Array>("tokens");
    const logprobs = data<Float32Array>("logprobs");
    const size = rows.length;
    return rows.map(({ limit }, i) => {
      const result: DecodeResult = { ids: [], logprobs: [] };
      if (firstToken !== undefined) {
        result.ids.push(Number(firstToken[i]));
        result.logprobs.push(firstLogprob[i]);
      }
      for (let at = i; at < tokens.length && result.ids.length < limit; at += size) {
        if (this.#stopIds.has(result.ids[result.ids.length - 1])) break;
        result.ids.push(Number(tokens[at]));
        result.logprobs.push(logprobs[at]);
      }
      if (result.logprobs.some(Number.isNaN)) {
        throw new PolicyError({ operation: "sample", reason: "the model's logits are not finite numbers" });
      }
      return result;
    });
  }

  /** Puts the keys and values of `n` new tokens and of those that the Loop consumed into the caches. */
  #store(
    outputs: Outputs,
    rows: readonly DecodeRow[],
    results: readonly DecodeResult[],
    n: number,
  ): void {
    const looped = (outputs.tokens as ort.Tensor).dims[0];
    const entering = rows.map(({ ids }, i) => [...ids, ...results[i].ids.slice(0, -1)]);
    rows.forEach(({ cache }, i) => cache.reserve(cache.length + entering[i].length + 1));
    for (let lane = 0; lane < this.cacheShape.lanes; lane++) {
      const grown = outputs[laneName("loop", lane)].data as Float32Array;
      const fresh = n === 0 ? grown : outputs[laneName("new", lane)].data as Float32Array;
      rows.forEach(({ cache, ids }, i) => {
        const prefilled = n === 0 ? 0 : ids.length;
        cache.write(lane, fresh, i, n, n - prefilled, prefilled, 0);
        cache.write(lane, grown, i, looped, 0, entering[i].length - prefilled, prefilled);
      });
    }
    rows.forEach(({ cache }, i) => cache.append(entering[i]));
  }
}

function laneName(part: string, lane: number): string {
  return `${part}_${lane % 2 === 0 ? "keys" : "values"}_${lane >> 1}`;
}
