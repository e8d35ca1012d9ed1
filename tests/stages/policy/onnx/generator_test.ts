import { assert, assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { initLlamaWeights } from "../../../../stages/engine/init_llama_weights.ts";
import { uniformAt } from "../../../../stages/seed.ts";
import { PolicyError } from "../../../../stages/errors.ts";
import type { GenerateRequest, Generation } from "../../../../stages/policy/policy.ts";
import { referenceLogits, referenceLogprobs, softmax } from "../_reference.ts";
import { request, tinyConfig, tinyWeights, withGenerator } from "../_tiny_model.ts";

const prompts = [[1, 5, 6], [1, 8, 9, 10, 11, 12, 13], [1], [1, 4, 4, 4, 18]];

/** Sampled log-probabilities equal the reference's to 1e-4, token by token. */
function assertMatchesReference(
  requests: readonly GenerateRequest[],
  generations: readonly Generation[],
): void {
  generations.forEach(({ ids, logprobs }, i) => {
    const { ids: context, temperature } = requests[i];
    const expected = referenceLogprobs(
      tinyConfig,
      tinyWeights,
      [...context, ...ids],
      context.length,
      temperature === 0 ? 1 : temperature,
    );
    assertEquals(logprobs.length, ids.length);
    expected.forEach((value, t) => {
      assert(Math.abs(value - logprobs[t]) < 1e-4, `row ${i}, token ${t}: ${logprobs[t]}, expected ${value}`);
    });
  });
}

Deno.test("log-probabilities of a ragged batch with several temperatures equal the reference", async () => {
  const requests = prompts.map((ids, i) => request(`a${i}`, ids, { temperature: [1, 0.6, 0, 1.7][i] }));
  for (const chunk of [32, 3]) {
    for (const packWeights of [false, true]) {
      await withGenerator({ chunk, packWeights }, async (generator) => {
        assertMatchesReference(requests, await generator.generate(requests));
      });
    }
  }
});

Deno.test("an untied head and full attention equal the reference too", async () => {
  const config = { ...tinyConfig, tied: false, kvHeads: 4, headDim: 4 };
  const weights = initLlamaWeights(config, 9);
  for (const packWeights of [false, true]) {
    await withGenerator({ config, weights, packWeights }, async (generator) => {
      const [{ ids, logprobs }] = await generator.generate([request("u", [1, 5, 6])]);
      const expected = referenceLogprobs(config, weights, [1, 5, 6, ...ids], 3);
      expected.forEach((value, t) => assert(Math.abs(value - logprobs[t]) < 1e-4));
    });
  }
});

Deno.test("turns reuse the session's prefix and change nothing but the tokens computed", async () => {
  await withGenerator({ chunk: 4 }, async (generator) => {
    const contexts = prompts.map((ids) => [...ids]);
    const sampled = prompts.map(() => 0);
    for (let turn = 0; turn < 3; turn++) {
      const before = generator.counters.prefillTokens;
      const requests = contexts.map((ids, i) =>
        request(`p${i}`, ids, { seed: `p${i}/${turn}`, maxTokens: 5 + i })
      );
      const generations = await generator.generate(requests);
      assertMatchesReference(requests, generations);
      // Of the turn before, only the last sampled token was not in the cache.
      const fresh = turn === 0 ? prompts.flat().length : 4 * (1 + turn);
      assertEquals(generator.counters.prefillTokens - before, fresh);
      generations.forEach(({ ids }, i) => {
        sampled[i] += ids.length;
        contexts[i].push(...ids, ...Array(turn + 1).fill(10 + turn));
      });
    }
    assertEquals(generator.counters.generatedTokens, sampled.reduce((a, b) => a + b));
  });
});

Deno.test("a group's prompt is computed once, whatever the batches, and sampled from as if it were not", async () => {
  const prompt = Array.from({ length: 40 }, (_, i) => 3 + i % 4);
  const other = [...prompt.slice(0, 36), 11, 12, 13];
  const requests = [prompt, other, prompt, [1, 5, 6], prompt, other].map((ids, i) =>
    request(`g${i}`, ids, { temperature: i === 4 ? 0 : 1, maxTokens: 8 + i })
  );
  for (const options of [{}, { batchSize: 1 }, { prefill: 16 }, { packs: true, chunk: 3 }]) {
    await withGenerator(options, async (generator) => {
      const generations = await generator.generate(requests);
      assertMatchesReference(requests, generations);
      // The prompt and the short one whole; 3 ids of what begins alike; of repetitions the last id.
      assertEquals(generator.counters.prefillTokens, 40 + 3 + 3 + 1 + 1 + 1);
      const longer = requests.map((r, i) => ({ ...r, ids: [...r.ids, ...generations[i].ids, 4] }));
      const before = generator.counters.prefillTokens;
      assertMatchesReference(longer, await generator.generate(longer));
      // The id sampled last and the one that follows it.
      assertEquals(generator.counters.prefillTokens - before, 2 * 6);
    });
  }
});

Deno.test("a retry from an earlier point cuts its own cache, or starts from its parent's", async () => {
  await withGenerator({}, async (generator) => {
    const [first] = await generator.generate([request("base", [1, 5, 6], { maxTokens: 20 })]);
    const whole = [1, 5, 6, ...first.ids];
    const retry = request("retry", [...whole.slice(0, 5), 9, 9], { parent: "base" });
    const before = generator.counters.prefillTokens;
    assertMatchesReference([retry], await generator.generate([retry]));
    assertEquals(generator.counters.prefillTokens - before, 2);
    const own = request("base", [...whole.slice(0, 4), 11], { seed: "again" });
    assertMatchesReference([own], await generator.generate([own]));
    // The fork is a copy: cutting the base did not touch it.
    const more = request("retry", [...retry.ids, 3], { seed: "more" });
    assertMatchesReference([more], await generator.generate([more]));
    const same = request("base", own.ids, { seed: "again" });
    assertMatchesReference([same], await generator.generate([same]));
  });
});

Deno.test("a parent is copied as it was before the call, whatever happens to it in the call", async () => {
  await withGenerator({}, async (generator) => {
    await generator.generate([request("base", [1, 5, 6, 9, 9, 9])]);
    const requests = [
      request("base", [1, 8]),
      request("retry", [1, 5, 6, 9, 9, 4], { parent: "base" }),
      request("orphan", [1, 5], { parent: "nobody" }),
    ];
    assertMatchesReference(requests, await generator.generate(requests));
  });
});

Deno.test("tokens follow from the seed: not from batch size, chunk, order or company", async () => {
  const requests = Array.from(
    { length: 40 },
    (_, i) => request(`s${i}`, prompts[i % 4], { temperature: i % 5 === 0 ? 0 : 1, maxTokens: 4 + i % 20 }),
  );
  const run = (options: { batchSize?: number; chunk?: number; prefill?: number }) =>
    withGenerator(options, (generator) => generator.generate(requests));
  const expected = await run({});
  assertMatchesReference(requests, expected);
  for (const options of [{ batchSize: 1 }, { chunk: 1 }, { chunk: 5, batchSize: 7 }, { prefill: 2 }]) {
    const found = await run(options);
    found.forEach(({ ids, stopReason, logprobs }, i) => {
      assertEquals({ ids, stopReason }, { ids: expected[i].ids, stopReason: expected[i].stopReason });
      logprobs.forEach((value, t) => assert(Math.abs(value - expected[i].logprobs[t]) < 1e-4));
    });
  }
  const reversed = await withGenerator({}, (generator) => generator.generate([...requests].reverse()));
  assertEquals(reversed.reverse().map(({ ids }) => ids), expected.map(({ ids }) => ids));
});

Deno.test("the same requests twice are bit-identical", async () => {
  const requests = prompts.map((ids, i) => request(`b${i}`, ids));
  const once = () => withGenerator({ chunk: 5 }, (generator) => generator.generate(requests));
  assertEquals(await once(), await once());
  await withGenerator({ chunk: 5 }, async (generator) => {
    const first = await generator.generate(requests);
    generator.release();
    assertEquals(await generator.generate(requests), first);
    assertEquals(first, await once());
    const other = requests.map((r) => ({ ...r, seed: r.seed + "'" }));
    assertNotEquals((await generator.generate(other)).map(({ ids }) => ids), first.map(({ ids }) => ids));
  });
});

Deno.test("greedy takes the most likely token", async () => {
  await withGenerator({}, async (generator) => {
    const [{ ids }] = await generator.generate([request("g", [1, 5], { temperature: 0, maxTokens: 20 })]);
    const logits = referenceLogits(tinyConfig, tinyWeights, [1, 5, ...ids]);
    ids.forEach((id, t) => assertEquals(id, logits[t + 1].indexOf(Math.max(...logits[t + 1]))));
  });
});

Deno.test("samples follow the softmax (chi-square, 4000 seeds, one and two tokens deep)", async () => {
  await withGenerator({ batchSize: 500 }, async (generator) => {
    const temperature = 1.4;
    const n = 4000;
    const requests = Array.from(
      { length: n },
      (_, i) => request(`c${i}`, [1, 5], { temperature, maxTokens: 2 }),
    );
    const generations = await generator.generate(requests);
    const chiSquare = (counts: number[], probabilities: number[], total: number) =>
      counts.reduce(
        (sum, count, id) => sum + (count - total * probabilities[id]) ** 2 / (total * probabilities[id]),
        0,
      );
    const at = (context: number[]) =>
      softmax(referenceLogits(tinyConfig, tinyWeights, context).at(-1)!.map((x) => x / temperature));
    const tally = (ids: number[]) =>
      Array.from({ length: 19 }, (_, id) => ids.filter((x) => x === id).length);
    // 18 degrees of freedom: 42.3 is the 99.9 % point.
    assert(chiSquare(tally(generations.map(({ ids }) => ids[0])), at([1, 5]), n) < 42.3);
    const common = tally(generations.map(({ ids }) => ids[0])).reduce(
      (a, c, id, all) => c > all[a] && id !== 2 && id !== 7 ? id : a,
      0,
    );
    const second = generations.filter(({ ids }) => ids[0] === common).map(({ ids }) => ids[1]);
    assert(second.length > 200);
    assert(chiSquare(tally(second), at([1, 5, common]), second.length) < 42.3);
  });
});

Deno.test("a uniform number of 0 does not draw an id that has next to no probability", async () => {
  // The first number of this stream is 0; id 0 comes first in the cumulative distribution.
  const seed = "7908996";
  assertEquals(uniformAt(seed, 0), 0);
  const temperature = 0.02;
  const logits = referenceLogits(tinyConfig, tinyWeights, [1, 5])[1];
  assert(softmax(logits.map((x) => x / temperature))[0] < 1e-9);
  await withGenerator({}, async (generator) => {
    const [{ ids }] = await generator.generate([request("z", [1, 5], { seed, temperature, maxTokens: 1 })]);
    assertEquals(ids, [logits.indexOf(Math.max(...logits))]);
  });
});

Deno.test("stop reasons: a stop id ends the row and is kept, a cap adds nothing", async () => {
  const requests = Array.from(
    { length: 60 },
    (_, i) => request(`r${i}`, prompts[i % 4], { maxTokens: 6, temperature: 3 }),
  );
  const generations = await withGenerator({}, (generator) => generator.generate(requests));
  const stops = new Set<number>();
  for (const { ids, stopReason } of generations) {
    const stop = ids.findIndex((id) => id === 2 || id === 7);
    if (stopReason === "stop") {
      assertEquals(stop, ids.length - 1);
      stops.add(ids[stop]);
    } else {
      assertEquals([stopReason, stop, ids.length], ["length", -1, 6]);
    }
  }
  assertEquals([...stops].sort(), [2, 7]);
  assert(
    generations.some(({ ids, stopReason }) => stopReason === "stop" && ids.length === 1),
    "no immediate stop",
  );
  assert(generations.some(({ stopReason }) => stopReason === "length"));
  const single = await withGenerator(
    {},
    (generator) => generator.generate(requests.map((r) => ({ ...r, maxTokens: 1 }))),
  );
  assertEquals(single.map(({ ids }) => ids), generations.map(({ ids }) => ids.slice(0, 1)));
});

Deno.test("a full context ends the generation, a prompt that fills it is refused", async () => {
  await withGenerator({ contextLength: 10, stopIds: new Set() }, async (generator) => {
    const run = async (length: number, maxTokens: number) =>
      (await generator.generate([request("x", Array(length).fill(5), { maxTokens })]))[0];
    const cut = await run(7, 9);
    assertEquals([cut.ids.length, cut.stopReason], [3, "context"]);
    assertEquals((await run(7, 3)).stopReason, "length");
    assertEquals((await run(9, 5)).ids.length, 1);
    await assertRejects(
      () => run(10, 1),
      PolicyError,
      "the prompt has 10 tokens, the context of 10 has room for 9",
    );
  });
});

Deno.test("a row at the end of its context shares a batch with rows that go on", async () => {
  await withGenerator({ contextLength: 10, stopIds: new Set() }, async (generator) => {
    const requests = [1, 4, 7, 9].map((length) =>
      request(`r${length}`, Array(length).fill(5), { maxTokens: 9 })
    );
    const generations = await generator.generate(requests);
    assertEquals(generations.map(({ ids }) => ids.length), [9, 6, 3, 1]);
    assertMatchesReference(requests, generations);
  });
});

Deno.test("requests that cannot be decoded are refused before anything runs", async () => {
  await withGenerator({}, async (generator) => {
    const refused = (message: string, ...requests: GenerateRequest[]) =>
      assertRejects(() => generator.generate(requests), PolicyError, message);
    await refused("the prompt is empty", request("x", []));
    await refused("token id 19 is not in a vocabulary of 19", request("x", [1, 19]));
    await refused("token id -1", request("x", [-1]));
    await refused("maxTokens is 0", request("x", [1], { maxTokens: 0 }));
    await refused("temperature is NaN", request("x", [1], { temperature: NaN }));
    await refused("session x: two requests", request("x", [1]), request("x", [1, 5]));
    assertEquals(generator.counters, { generatedTokens: 0, prefillTokens: 0 });
    assertEquals(await generator.generate([]), []);
  });
});

for (const packWeights of [false, true]) {
  Deno.test(`sync copies the weights, drops the caches and takes the version, ${packWeights ? "packed" : "fed"}`, async () => {
    await withGenerator({ packWeights }, async (generator) => {
      const context = request("w", [1, 5, 6]);
      const [before] = await generator.generate([context]);
      const next = initLlamaWeights(tinyConfig, 4);
      const synced = generator.sync(next, 7);
      next.get("model.embed_tokens.weight")!.data.fill(NaN);
      await synced;
      assertEquals(generator.version, 7);
      const [after] = await generator.generate([context]);
      assertNotEquals(after.ids, before.ids);
      const expected = referenceLogprobs(
        tinyConfig,
        initLlamaWeights(tinyConfig, 4),
        [1, 5, 6, ...after.ids],
        3,
      );
      expected.forEach((value, t) => assert(Math.abs(value - after.logprobs[t]) < 1e-4));
      await generator.sync(next, 8);
      await assertRejects(() => generator.generate([context]), PolicyError, "not finite");
      await generator.sync(tinyWeights, 9);
      assertEquals((await generator.generate([context]))[0], before);
    });
  });
}

Deno.test("a model that computed NaN leaves no trace behind", async () => {
  await withGenerator({ prefill: 4 }, async (generator) => {
    const long = request("long", Array(30).fill(5));
    const short = request("short", [1, 5, 6, 8, 9, 10]);
    const broken = new Map(tinyWeights);
    const norm = "model.layers.0.input_layernorm.weight";
    broken.set(norm, { shape: [16], data: new Float32Array(16).fill(NaN) });
    await generator.sync(broken, 1);
    await assertRejects(() => generator.generate([long]), PolicyError, "not finite");
    await generator.sync(tinyWeights, 2);
    assertMatchesReference([short], await generator.generate([short]));
  });
});

Deno.test("weights of another model are refused by name", async () => {
  await withGenerator({}, async (generator) => {
    const wrong = new Map(tinyWeights);
    wrong.delete("model.layers.1.mlp.up_proj.weight");
    await assertRejects(
      () => generator.sync(wrong, 1),
      PolicyError,
      "model.layers.1.mlp.up_proj.weight is missing",
    );
  });
});
