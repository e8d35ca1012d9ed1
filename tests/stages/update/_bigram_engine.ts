import { Effect, Layer } from "effect";
import { type AdamW, Engine, type WeightedRow } from "../../../stages/engine/engine.ts";

/**
 * An engine over a table of logits [previous id][next id] that is differentiated by
 * hand, in float64. It takes plain gradient steps and records every call.
 */
export class BigramEngine {
  readonly size: number;
  readonly logits: Float64Array;
  readonly calls: string[] = [];
  readonly rows: (readonly WeightedRow[])[] = [];
  readonly steps: AdamW[] = [];
  gradient: Float64Array;

  constructor(size: number, seed = 1) {
    this.size = size;
    this.logits = Float64Array.from({ length: size * size }, (_, i) => Math.sin(i * 1.7 + seed));
    this.gradient = new Float64Array(size * size);
  }

  /** log-softmax of one row of the table. */
  logSoftmax(previous: number): Float64Array {
    const row = this.logits.subarray(previous * this.size, (previous + 1) * this.size);
    const max = row.reduce((a, b) => Math.max(a, b));
    const norm = max + Math.log(row.reduce((a, b) => a + Math.exp(b - max), 0));
    return row.map((v) => v - norm);
  }

  /** log π of each id given the one before; 0 for the first. */
  logprobs(ids: readonly number[]): number[] {
    return ids.map((id, t) => t === 0 ? 0 : this.logSoftmax(ids[t - 1])[id]);
  }

  /** Entropy of each next-token distribution. */
  entropies(ids: readonly number[]): number[] {
    return ids.map((_, t) => {
      if (t === 0) return 0;
      return -this.logSoftmax(ids[t - 1]).reduce((a, lp) => a + Math.exp(lp) * lp, 0);
    });
  }

  get layer(): Layer.Layer<Engine> {
    const answer = (rows: readonly (readonly number[])[]) => ({
      logprobs: rows.map((ids) => Float32Array.from(this.logprobs(ids))),
      entropy: rows.map((ids) => Float32Array.from(this.entropies(ids))),
    });
    return Layer.succeed(Engine, {
      provider: "bigram",
      vocabularySize: this.size,
      contextLength: 1024,
      parameters: this.logits.length,
      logprobs: (rows) =>
        Effect.sync(() => {
          this.calls.push("logprobs");
          return answer(rows);
        }),
      accumulate: (rows) =>
        Effect.sync(() => {
          this.calls.push("accumulate");
          this.rows.push(rows);
          for (const row of rows) this.#accumulate(row);
          return answer(rows.map((row) => row.ids));
        }),
      optimStep: (options) =>
        Effect.sync(() => {
          this.calls.push("optimStep");
          this.steps.push(options);
          const gradNorm = Math.sqrt(this.gradient.reduce((a, g) => a + g * g, 0));
          this.gradient.forEach((g, i) => this.logits[i] += options.lr * g);
          this.gradient = new Float64Array(this.gradient.length);
          return { gradNorm, step: this.steps.length };
        }),
      weights: Effect.sync(() =>
        new Map([["table", { shape: [this.size, this.size], data: Float32Array.from(this.logits) }]])
      ),
      save: () => Effect.void,
      load: () => Effect.void,
      counters: Effect.succeed({ forwardTokens: 0, backwardTokens: 0 }),
    });
  }

  /** ∂log π(id)/∂logit = [id] − p; ∂H/∂logit = −p·(log p + H). */
  #accumulate(row: WeightedRow): void {
    for (let t = 1; t < row.ids.length; t++) {
      const lp = this.logSoftmax(row.ids[t - 1]);
      const entropy = -lp.reduce((a, v) => a + Math.exp(v) * v, 0);
      lp.forEach((v, j) => {
        const p = Math.exp(v);
        const score = Number(j === row.ids[t]) - p;
        this.gradient[row.ids[t - 1] * this.size + j] += row.weights[t] * score -
          (row.entropyWeights?.[t] ?? 0) * p * (v + entropy);
      });
    }
  }
}
