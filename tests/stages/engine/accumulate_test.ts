import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { Effect } from "effect";
import type { EngineShape, LogprobOptions, WeightedRow } from "../../../stages/engine/engine.ts";
import type { Tensor } from "../../../stages/engine/weights.ts";
import { referenceLlama } from "./_reference_llama.ts";
import {
  gradientOf,
  relativeDifference,
  tinyConfig,
  type TinyOptions,
  tinyRows,
  tinyWeights,
  withEngine,
} from "./_tiny.ts";

function gradient(rows: readonly WeightedRow[], options: LogprobOptions = {}, engine: TinyOptions = {}) {
  return withEngine((e) => Effect.andThen(e.accumulate(rows, options), gradientOf(e)), engine);
}

/** J = Σ w·logp + Σ e·H by the plain forward pass. */
function objective(
  weights: ReadonlyMap<string, Tensor>,
  rows: readonly WeightedRow[],
  config = tinyConfig,
  temperature = 1,
): number {
  let sum = 0;
  for (const row of rows) {
    const { logprobs, entropy } = referenceLlama(config, weights, row.ids, temperature);
    for (let t = 1; t < row.ids.length; t++) {
      sum += row.weights[t] * logprobs[t] + (row.entropyWeights?.[t] ?? 0) * entropy[t];
    }
  }
  return sum;
}

for (const tied of [true, false]) {
  for (const entropy of [true, false]) {
    const name = `${tied ? "tied" : "untied"}, ${entropy ? "with" : "without"} entropy`;
    Deno.test(`the model's gradient equals central differences of a plain forward pass: ${name}`, async () => {
      const config = { ...tinyConfig, tied };
      const weights = tinyWeights(config);
      const rows = tinyRows([6, 3, 9], { entropy });
      const found = await gradient(rows, { temperature: 0.8 }, { config, weights });
      let [offset, scale, worst] = [0, 0, 0];
      for (const [, { data }] of weights) {
        for (const i of [0, data.length >> 1, data.length - 1]) {
          const x = data[i];
          // Steps that float32 holds exactly.
          data[i] = Math.fround(x + 2 ** -10);
          const up = data[i];
          const above = objective(weights, rows, config, 0.8);
          data[i] = Math.fround(x - 2 ** -10);
          const slope = (above - objective(weights, rows, config, 0.8)) / (up - data[i]);
          data[i] = x;
          scale = Math.max(scale, Math.abs(slope));
          worst = Math.max(worst, Math.abs(slope - found[offset + i]));
        }
        offset += data.length;
      }
      assertEquals(offset, found.length);
      assert(scale > 0.1 && worst / scale < 1e-4, `error ${worst} at scale ${scale}`);
    });
  }
}

const rows = tinyRows([7, 1, 12, 2, 9, 9], { entropy: true });

Deno.test("the gradient and the log-probabilities do not depend on the micro-batch split", async () => {
  const whole = await gradient(rows);
  for (const tokenBudget of [1, 10, 24]) {
    const split = await gradient(rows, {}, { tokenBudget });
    assert(relativeDifference(split, whole) < 1e-5);
  }
  const calls = await withEngine((e) =>
    Effect.gen(function* () {
      for (const row of rows) yield* e.accumulate([row]);
      return yield* gradientOf(e);
    })
  );
  assert(relativeDifference(calls, whole) < 1e-5);
});

Deno.test("the gradient is the same to the last bit at every run, on two threads too", async () => {
  const config = { ...tinyConfig, vocabSize: 97, hiddenSize: 48, intermediateSize: 80 };
  const rows = tinyRows([31, 30, 17, 32, 32], { config });
  const [first, second] = [
    await gradient(rows, {}, { config, threads: 2 }),
    await gradient(rows, {}, { config, threads: 2 }),
  ];
  assertEquals(first, second);
});

Deno.test("the output head in chunks gives the same gradient", async () => {
  const whole = await gradient(rows, { temperature: 1.3 });
  for (const budget of [13 * 3, 13 * 8]) {
    const chunked = await gradient(rows, { temperature: 1.3 }, { logitBudget: budget });
    assert(relativeDifference(chunked, whole) < 1e-5);
  }
});

Deno.test("accumulate returns what logprobs returns, rows without weight included", async () => {
  const mixed = rows.map((row, r) => r % 2 === 0 ? row : { ids: row.ids, weights: row.ids.map(() => 0) });
  const [trained, evaluated, counters] = await withEngine((e) =>
    Effect.all([
      e.accumulate(mixed, { entropy: true }),
      e.logprobs(mixed.map((row) => row.ids), { entropy: true }),
      e.counters,
    ])
  );
  rows.forEach((_, r) => {
    assert(relativeDifference(trained.logprobs[r], evaluated.logprobs[r]) < 1e-6);
    assert(relativeDifference(trained.entropy![r], evaluated.entropy![r]) < 1e-6);
  });
  // Rows of one token predict nothing and are not run.
  assertEquals(counters, { forwardTokens: 2 + 9 + 39, backwardTokens: 7 + 12 + 9 });
});

Deno.test("tokens without weight have no effect beyond being context", async () => {
  const masked = rows.map(({ ids, weights }) => ({
    ids,
    weights: Array.from(weights, (w, t) => t > 4 ? 0 : w),
  }));
  const cut = masked.map(({ ids, weights }) => ({ ids: ids.slice(0, 5), weights: weights.slice(0, 5) }));
  assert(relativeDifference(await gradient(masked), await gradient(cut)) < 1e-6);
  const select = masked.map(({ ids }) => ids.map(() => 0));
  assert(relativeDifference(await gradient(masked, { select }), await gradient(masked)) < 1e-6);
});

Deno.test("zero weights, rows of one token and no rows leave the gradient at exactly zero", async () => {
  const none: WeightedRow[][] = [
    [],
    [{ ids: [3], weights: [5] }],
    rows.map(({ ids }) => ({ ids, weights: ids.map(() => 0) })),
    [{ ids: [3, 4], weights: [7, 0] }],
  ];
  for (const rows of none) assert((await gradient(rows)).every((x) => x === 0));
});

Deno.test("only embeddings of tokens that occur have a gradient when the head is untied", async () => {
  const config = { ...tinyConfig, tied: false };
  const found = await gradient([{ ids: [2, 5, 2, 7], weights: [0, 1, 1, 1] }], {}, { config });
  const rows = Array.from(
    { length: 13 },
    (_, id) => found.subarray(id * 8, (id + 1) * 8).some((x) => x !== 0),
  );
  // Token 7 comes last and is only predicted.
  assertEquals(rows.flatMap((any, id) => any ? [id] : []), [2, 5]);
});

Deno.test("steps along the gradient raise the objective", async () => {
  const weights = tinyWeights();
  const adamw = { lr: 3e-3, beta1: 0.9, beta2: 0.98, eps: 1e-8, weightDecay: 0, clipNorm: 1 };
  const batch = rows.map((row) => ({ ...row, weights: row.ids.map(() => 1), entropyWeights: [] }))
    .map(({ ids, weights }) => ({ ids, weights }));
  const climb = (e: EngineShape) =>
    Effect.gen(function* () {
      const sums: number[] = [];
      for (let step = 1; step <= 30; step++) {
        const { logprobs } = yield* e.accumulate(batch);
        sums.push(logprobs.flatMap((row) => [...row]).reduce((a, b) => a + b));
        assertEquals((yield* e.optimStep(adamw)).step, step);
      }
      return sums;
    });
  const sums = await withEngine(climb, { weights });
  assert(sums[29] > sums[0] + 10, `${sums[0]} → ${sums[29]}`);
  assertEquals(await withEngine(climb, { weights }), sums);
});

Deno.test("weights that are no numbers or do not fit are refused with their place", async () => {
  const refused = async (row: WeightedRow) =>
    (await withEngine((e) => Effect.flip(e.accumulate([row])))).message;
  assertMatch(await refused({ ids: [1, 2], weights: [0] }), /row 0 has 2 tokens and 1 weights/);
  assertMatch(await refused({ ids: [1, 2], weights: [0, NaN] }), /row 0, token 1: weights is NaN/);
  assertMatch(
    await refused({ ids: [1, 2], weights: [0, 1], entropyWeights: [0, Infinity] }),
    /row 0, token 1: entropyWeights is Infinity/,
  );
});

Deno.test("a gradient that overflows is refused and forgotten, the weights stay", async () => {
  const adamw = { lr: 1, beta1: 0.9, beta2: 0.98, eps: 1e-8, weightDecay: 0.1, clipNorm: 1 };
  const huge = { ids: [1, 2, 3], weights: [0, 3e38, 3e38] };
  const [error, before, after, next] = await withEngine((e) =>
    Effect.gen(function* () {
      const before = [...(yield* e.weights).values()].map((t) => t.data.slice());
      yield* e.accumulate([huge]);
      const error = yield* Effect.flip(e.optimStep(adamw));
      const after = [...(yield* e.weights).values()].map((t) => t.data.slice());
      return [error, before, after, yield* e.optimStep(adamw)] as const;
    })
  );
  assertMatch(error.message, /Cannot take an optimiser step: the gradient's norm is (NaN|Infinity)/);
  assertEquals(after, before);
  assertEquals(next, { gradNorm: 0, step: 1 });
  assertNotEquals(before.length, 0);
});
