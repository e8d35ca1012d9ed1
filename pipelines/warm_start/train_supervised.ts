import { Effect } from "effect";
import { type AdamW, Engine } from "../../stages/engine/engine.ts";
import type { SupervisedRow } from "./lesson_row.ts";

/** What one batch did. */
export interface SupervisedStep {
  /** Mean negative log-likelihood (nats) of the weighted tokens. */
  readonly loss: number;
  readonly gradNorm: number;
}

/** One optimiser step on a batch: loss = −Σ w·logp / Σ w. */
export const trainSupervised = Effect.fn("supervised")(
  function* (batch: readonly SupervisedRow[], optim: AdamW) {
    const engine = yield* Engine;
    const total = batch.reduce((sum, row) => sum + row.weights.reduce((a, b) => a + b, 0), 0);
    const { logprobs } = yield* engine.accumulate(
      batch.map((row) => ({ ids: row.ids, weights: row.weights.map((w) => w / total) })),
    );
    const { gradNorm } = yield* engine.optimStep(optim);
    let loss = 0;
    batch.forEach((row, i) => row.weights.forEach((w, t) => w !== 0 && (loss -= w * logprobs[i][t] / total)));
    return { loss, gradNorm } satisfies SupervisedStep;
  },
);
