import { assert, assertAlmostEquals, assertEquals, assertMatch } from "@std/assert";
import { Effect } from "effect";
import type { Distributions, LogprobOptions, WeightedRow } from "../../../stages/engine/engine.ts";
import {
  gradientOf,
  relativeDifference,
  tinyConfig,
  type TinyOptions,
  tinyRows,
  tinyWeights,
  withEngine,
} from "./_tiny.ts";

/** A teacher that is wider, with the same vocabulary. */
const teacherConfig = { ...tinyConfig, hiddenSize: 16, layers: 1, tied: false };
const teacherWeights = tinyWeights(teacherConfig, 5);

const select = [[0, 0, 1, 1, 0, 1], [0, 1, 1, 0], [0, 0, 0, 0, 0, 0, 1, 1, 1]];
const plain = tinyRows([6, 4, 9]);
const rows: readonly WeightedRow[] = plain.map(({ ids }, r) => ({
  ids,
  weights: ids.map(() => 0),
  divergenceWeights: select[r].map((s, t) => s * (0.3 * t - 1.7)),
}));

function distributions(ids: readonly (readonly number[])[], chosen = select): Promise<Distributions> {
  return withEngine((e) => e.distributions!(ids, { select: chosen }), {
    config: teacherConfig,
    weights: teacherWeights,
  });
}

const q = await distributions(rows.map((row) => row.ids));

/** log π of every id after each prefix of `ids`, from log-probabilities of single tokens. */
async function table(ids: readonly number[], engine: TinyOptions, temperature: number): Promise<number[][]> {
  const asked = ids.slice(1).flatMap((_, t) =>
    Array.from({ length: tinyConfig.vocabSize }, (_, v) => [...ids.slice(0, t + 1), v])
  );
  const { logprobs } = await withEngine((e) => e.logprobs(asked, { temperature }), engine);
  const last = logprobs.map((row) => row.at(-1)!);
  return ids.slice(1).map((_, t) => last.slice(t * tinyConfig.vocabSize, (t + 1) * tinyConfig.vocabSize));
}

/** KL(π‖q) of every token, from those tables. */
async function expected(ids: readonly number[], student: TinyOptions, temperature: number) {
  const s = await table(ids, student, temperature);
  const t = await table(ids, { config: teacherConfig, weights: teacherWeights }, temperature);
  return [0, ...s.map((row, i) => row.reduce((sum, lp, v) => sum + Math.exp(lp) * (lp - t[i][v]), 0))];
}

function accumulate(given: readonly WeightedRow[], options: LogprobOptions, engine: TinyOptions = {}) {
  return withEngine((e) =>
    Effect.gen(function* () {
      const values = yield* e.accumulate(given, options);
      return { ...values, gradient: yield* gradientOf(e) };
    }), engine);
}

Deno.test("divergences are KL(π‖q) over the whole vocabulary at the chosen tokens, 0 elsewhere", async () => {
  const { divergence } = await accumulate(rows, { select, against: q, temperature: 0.7 });
  for (const [r, { ids }] of rows.entries()) {
    const wanted = await expected(ids, { weights: tinyWeights() }, 0.7);
    select[r].forEach((s, t) => assertAlmostEquals(divergence![r][t], s * wanted[t], 2e-6));
  }
});

Deno.test("their gradient equals central differences", async () => {
  const config = { ...tinyConfig, tied: false };
  const weights = tinyWeights(config);
  const options = { select, against: q, temperature: 1.2 };
  const { gradient } = await accumulate(rows, options, { config, weights });
  const objective = async () => {
    const { divergence } = await accumulate(rows, options, { config, weights });
    return divergence!.reduce(
      (sum, row, r) => sum + row.reduce((a, d, t) => a + d * rows[r].divergenceWeights![t], 0),
      0,
    );
  };
  let [offset, scale, worst] = [0, 0, 0];
  for (const [name, { data }] of weights) {
    if (/embed|layers.1.mlp.up|layers.0.self_attn.q|lm_head|model.norm/.test(name)) {
      const i = data.length >> 1;
      const x = data[i];
      data[i] = Math.fround(x + 2 ** -7);
      const up = data[i];
      const above = await objective();
      data[i] = Math.fround(x - 2 ** -7);
      const slope = (above - await objective()) / (up - data[i]);
      data[i] = x;
      scale = Math.max(scale, Math.abs(slope));
      worst = Math.max(worst, Math.abs(slope - gradient[offset + i]));
    }
    offset += data.length;
  }
  assert(scale > 0.1 && worst / scale < 1e-3, `error ${worst} at scale ${scale}`);
});

Deno.test("chunks of the head and micro-batches change neither divergences nor gradient", async () => {
  const whole = await accumulate(rows, { select, against: q });
  for (const engine of [{ logitBudget: 13 * 2 }, { tokenBudget: 8 }]) {
    const split = await accumulate(rows, { select, against: q }, engine);
    assert(relativeDifference(split.gradient, whole.gradient) < 1e-5);
    split.divergence!.forEach((row, r) => assert(relativeDifference(row, whole.divergence![r]) < 1e-5));
  }
});

Deno.test("a model does not diverge from itself: divergence and gradient are 0", async () => {
  const own = await withEngine((e) => e.distributions!(rows.map((row) => row.ids), { select }));
  const { divergence, gradient } = await accumulate(rows, { select, against: own });
  divergence!.forEach((row) => row.forEach((d) => assert(Math.abs(d) < 1e-6)));
  assert(gradient.every((g) => Math.abs(g) < 1e-6));
});

Deno.test("ids that only the other model has are left out of its distribution", async () => {
  const { head, hidden } = q;
  const padded = { shape: [16, 16], data: Float32Array.from([...head.data, ...new Float32Array(3 * 16)]) };
  const longer = await accumulate(rows, { select, against: { head: padded, hidden } });
  assertEquals(longer.gradient, (await accumulate(rows, { select, against: q })).gradient);
});

Deno.test("distributions that do not fit are refused with their place", async () => {
  const refused = async (given: readonly WeightedRow[], options: LogprobOptions) =>
    (await withEngine((e) => Effect.flip(e.accumulate(given, options)))).message;
  assertMatch(await refused(rows, {}), /row 0 has divergenceWeights, but nothing to compare with/);
  assertMatch(await refused(rows, { against: q }), /need select/);
  assertMatch(
    await refused(rows, { select: [select[0].map(() => 1), ...select.slice(1)], against: q }),
    /row 0 has 5 chosen tokens of 16 features, the distributions 48 numbers/,
  );
  const short = { shape: [12, 16], data: q.head.data.subarray(0, 12 * 16) };
  assertMatch(
    await refused(rows, { select, against: { ...q, head: short } }),
    /the other model's head has 12 ids, the vocabulary 13/,
  );
});

Deno.test("a frozen engine evaluates, and has nothing to train", async () => {
  const evaluate = (frozen: boolean) => withEngine((e) => e.logprobs(rows.map((row) => row.ids)), { frozen });
  assertEquals(await evaluate(true), await evaluate(false));
});
