import * as ort from "onnxruntime-node";
import type { LlamaConfig } from "../../engine/llama_config.ts";
import type { Weights } from "../../engine/weights.ts";
import { PolicyError } from "../../errors.ts";
import { uniformAt } from "../../seed.ts";
import type { CacheShape, KeyValueCache } from "./key_value_cache.ts";
import { packDecodeWeights } from "./pack_decode_weights.ts";

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

/** Past lengths are rounded up to this, so that few shapes occur. */
const PAST_BLOCK = 16;
const MASKED = -1e9;
/**
 * Uniform numbers come in steps of 2^-24. Drawing at the middle of a step instead of
 * its start keeps u = 0 from picking a first id that has next to no probability.
 */
const HALF_STEP = 2 ** -25;

/** Runs the decode graph on batches of rows and keeps their caches up to date. */
export class BatchDecoder {
  readonly #session: ort.InferenceSession;
  readonly #config: LlamaConfig;
  readonly #stopIds: ReadonlySet<number>;
  readonly #stops: ort.Tensor;
  readonly cacheShape: CacheShape;
  /** Buffers that are fed, by name; kept between runs and grown. */
  readonly #buffers = new Map<string, Float32Array>();
  #weights: Record<string, ort.Tensor> = {};

  constructor(session: ort.InferenceSession, config: LlamaConfig, stopIds: ReadonlySet<number>) {
    this.#session = session;
    this.#config = config;
    this.#stopIds = stopIds;
    const stops = Uint8Array.from({ length: config.vocabSize }, (_, id) => stopIds.has(id) ? 1 : 0);
    this.#stops = new ort.Tensor("bool", stops, [config.vocabSize]);
    this.cacheShape = { lanes: 2 * config.layers, kvHeads: config.kvHeads, headDim: config.headDim };
  }

  /** Frees the session. */
  async close(): Promise<void> {
    await this.#session.release();
  }

  /** Takes a copy of `weights`; caches computed before are void. Throws {@link PolicyError}. */
  sync(weights: Weights): void {
    const packed = packDecodeWeights(this.#config, weights);
    this.#weights = Object.fromEntries(
      [...packed].map(([name, { data, shape }]) => [name, new ort.Tensor("float32", data, [...shape])]),
    );
    // Slots beyond a row's past have weight 0, which stale NaN would not respect.
    this.#buffers.clear();
  }

  /**
   * Adds each row's new tokens to its cache and samples up to `steps` tokens; all
   * of them but the last enter the cache too. `discard` computes the new tokens only.
   */
  async run(rows: readonly DecodeRow[], steps: number, discard = false): Promise<DecodeResult[]> {
    const n = Math.max(...rows.map((row) => row.ids.length));
    const longest = Math.max(...rows.map((row) => row.cache.length));
    const past = Math.ceil(longest / PAST_BLOCK) * PAST_BLOCK;
    const outputs = await this.#session.run(this.#feeds(rows, steps, n, past));
    const sampled = this.#results(outputs, rows);
    const results = discard ? rows.map(() => ({ ids: [], logprobs: [] })) : sampled;
    this.#store(outputs, rows, results, n);
    return results;
  }

  #feeds(rows: readonly DecodeRow[], steps: number, n: number, past: number): Record<string, ort.Tensor> {
    const { kvHeads, headDim } = this.#config;
    const size = rows.length;
    const ids = new BigInt64Array(size * n);
    const positions = new BigInt64Array(size * n);
    const mask = new Float32Array(size * (past + n)).fill(MASKED);
    const uniforms = new Float32Array(steps * size);
    rows.forEach((row, i) => {
      const pad = n - row.ids.length;
      for (let j = pad; j < n; j++) {
        ids[i * n + j] = BigInt(row.ids[j - pad]);
        positions[i * n + j] = BigInt(row.cache.length + j - pad);
      }
      const start = i * (past + n);
      mask.fill(0, start, start + row.cache.length);
      mask.fill(0, start + past + pad, start + past + n);
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
      mask: float(mask, size, 1, 1, past + n),
      uniforms: float(uniforms, steps, size, 1),
      steps: new ort.Tensor("int64", BigInt64Array.of(BigInt(steps - 1)), []),
      inverse_temperature: float(perRow((row) => row.temperature === 0 ? 1 : 1 / row.temperature), size, 1),
      greedy: new ort.Tensor("bool", Uint8Array.from(rows, (row) => row.temperature === 0 ? 1 : 0), [
        size,
        1,
      ]),
      limits: new ort.Tensor("int64", BigInt64Array.from(rows, (row) => BigInt(row.limit)), [size, 1]),
      empty: float(new Float32Array(0), size, kvHeads, 0, headDim),
    };
    for (let lane = 0; lane < this.cacheShape.lanes; lane++) {
      const name = laneName("past", lane);
      const packed = this.#buffer(name, size * kvHeads * past * headDim);
      rows.forEach((row, i) => row.cache.read(lane, packed, i, past));
      feeds[name] = float(packed, size, kvHeads, past, headDim);
    }
    return feeds;
  }

  #buffer(name: string, length: number): Float32Array {
    let buffer = this.#buffers.get(name);
    if (buffer === undefined || buffer.length < length) {
      buffer = new Float32Array(length);
      this.#buffers.set(name, buffer);
    }
    return buffer.subarray(0, length);
  }

  /** What the run sampled, row by row: up to a stop id or the row's limit. */
  #results(outputs: Outputs, rows: readonly DecodeRow[]): DecodeResult[] {
    const data = <T>(name: string) => (outputs[name] as ort.Tensor).data as T;
    const firstToken = data<BigInt64Array>("first_token");
    const firstLogprob = data<Float32Array>("first_logprob");
    const tokens = data<BigInt64Array>("tokens");
    const logprobs = data<Float32Array>("logprobs");
    const size = rows.length;
    return rows.map(({ limit }, i) => {
      const result: DecodeResult = { ids: [Number(firstToken[i])], logprobs: [firstLogprob[i]] };
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

  #store(
    outputs: Outputs,
    rows: readonly DecodeRow[],
    results: readonly DecodeResult[],
    n: number,
  ): void {
    const looped = (outputs.tokens as ort.Tensor).dims[0];
    rows.forEach(({ cache, ids }, i) => cache.reserve(cache.length + ids.length + results[i].ids.length));
    for (let lane = 0; lane < this.cacheShape.lanes; lane++) {
      const fresh = outputs[laneName("new", lane)].data as Float32Array;
      const grown = outputs[laneName("loop", lane)].data as Float32Array;
      rows.forEach(({ cache, ids }, i) => {
        cache.write(lane, fresh, i, n, n - ids.length, ids.length, 0);
        const consumed = Math.max(0, results[i].ids.length - 1);
        cache.write(lane, grown, i, looped, 0, consumed, ids.length);
      });
    }
    rows.forEach(({ cache, ids }, i) => {
      cache.append(ids);
      cache.append(results[i].ids.slice(0, -1));
    });
  }
}

function laneName(part: string, lane: number): string {
  return `${part}_${lane % 2 === 0 ? "keys" : "values"}_${lane >> 1}`;
}
