import { assert, assertEquals, assertMatch } from "@std/assert";
import { Effect } from "effect";
import type { LlamaConfig } from "../../../stages/engine/llama_config.ts";
import { referenceLlama } from "./_reference_llama.ts";
import { relativeDifference, tinyConfig, tinyRows, tinyWeights, withEngine } from "./_tiny.ts";

const architectures: Record<string, LlamaConfig> = {
  "grouped queries, tied": tinyConfig,
  "grouped queries, untied": { ...tinyConfig, tied: false },
  "one key/value head": { ...tinyConfig, kvHeads: 1 },
  "as many key/value heads as heads, wide heads": { ...tinyConfig, heads: 2, kvHeads: 2, headDim: 6 },
};

const rows = tinyRows([7, 1, 12, 2]).map((row) => row.ids);

for (const [name, config] of Object.entries(architectures)) {
  Deno.test(`log-probabilities and entropies equal a plain forward pass: ${name}`, async () => {
    const weights = tinyWeights(config);
    for (const temperature of [1, 0.6]) {
      const result = await withEngine(
        (engine) => engine.logprobs(rows, { entropy: true, temperature }),
        { config, weights },
      );
      rows.forEach((ids, r) => {
        const expected = referenceLlama(config, weights, ids, temperature);
        assert(relativeDifference(result.logprobs[r], expected.logprobs) < 1e-5);
        assert(relativeDifference(result.entropy![r], expected.entropy) < 1e-5);
      });
    }
  });
}

Deno.test("what follows a token, and what shares its batch, does not change its log-probability", async () => {
  const [long, , other] = rows;
  const [together, alone, cut] = await withEngine((engine) =>
    Effect.all([
      engine.logprobs([other, long]),
      engine.logprobs([long]),
      engine.logprobs([long.slice(0, 4), other]),
    ])
  );
  assert(relativeDifference(together.logprobs[1], alone.logprobs[0]) < 1e-6);
  assert(relativeDifference(cut.logprobs[0], alone.logprobs[0].subarray(0, 4)) < 1e-6);
});

Deno.test("the output head in chunks gives what it gives at once", async () => {
  const read = (logitBudget: number) =>
    withEngine((engine) => engine.logprobs(rows, { entropy: true }), { logitBudget });
  const whole = await read(2 ** 20);
  for (const budget of [13 * 3, 13 * 5, 1]) {
    const chunked = await read(budget);
    rows.forEach((_, r) => {
      assert(relativeDifference(chunked.logprobs[r], whole.logprobs[r]) < 1e-6);
      assert(relativeDifference(chunked.entropy![r], whole.entropy![r]) < 1e-6);
    });
  }
});

Deno.test("only selected tokens are computed", async () => {
  const select = rows.map((ids) => ids.map((_, t) => t % 3 === 1 ? 1 : 0));
  const [some, all] = await withEngine((engine) =>
    Effect.all([engine.logprobs(rows, { select }), engine.logprobs(rows)])
  );
  rows.forEach((ids, r) => {
    const expected = ids.map((_, t) => select[r][t] === 1 ? all.logprobs[r][t] : 0);
    assert(relativeDifference(some.logprobs[r], expected) < 1e-6);
  });
});

Deno.test("no rows and rows of one token give empty and zero results", async () => {
  const [none, single] = await withEngine((engine) =>
    Effect.all([engine.logprobs([]), engine.logprobs([[3], [5]], { entropy: true })])
  );
  assertEquals(none, { logprobs: [] });
  assertEquals(single, {
    logprobs: [Float32Array.of(0), Float32Array.of(0)],
    entropy: [Float32Array.of(0), Float32Array.of(0)],
  });
});

Deno.test("rows that cannot be computed are refused with their place", async () => {
  const refused = async (rows: number[][], options: { temperature?: number; select?: number[][] } = {}) =>
    (await withEngine((engine) => Effect.flip(engine.logprobs(rows, options)))).message;
  assertMatch(await refused([[1, 2], [3, 13]]), /row 1, token 1 is 13, the vocabulary has 13/);
  assertMatch(await refused([[1, -1]]), /row 0, token 1 is -1/);
  assertMatch(await refused([[1, 0.5]]), /row 0, token 1 is 0.5/);
  assertMatch(await refused([Array(33).fill(1)]), /row 0 has 33 tokens, the context holds 32/);
  assertMatch(await refused([[1, 2]], { temperature: 0 }), /temperature is 0/);
  assertMatch(await refused([[1, 2]], { select: [[1]] }), /row 0 has 2 tokens and 1 select/);
  assertMatch(await refused([[1, 2]], { select: [] }), /1 rows, select has 0/);
});
