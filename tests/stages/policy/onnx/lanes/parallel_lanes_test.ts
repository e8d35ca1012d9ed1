import { assert, assertEquals, assertMatch } from "@std/assert";
import { addLora } from "../../../../../stages/engine/add_lora.ts";
import { isAdapterName } from "../../../../../stages/engine/lora.ts";
import { initLlamaWeights } from "../../../../../stages/engine/init_llama_weights.ts";
import { PolicyError } from "../../../../../stages/errors.ts";
import { ParallelLanes } from "../../../../../stages/policy/onnx/lanes/parallel_lanes.ts";
import type { Generation } from "../../../../../stages/policy/policy.ts";
import { request, tinyConfig, tinyWeights } from "../../_tiny_model.ts";

const options = {
  config: tinyConfig,
  weights: tinyWeights,
  stopIds: new Set([2, 7]),
  sessionOptions: { intraOpNumThreads: 1 },
  chunk: 4,
};

async function withLanes<A>(lanes: number, use: (lanes: ParallelLanes) => Promise<A>): Promise<A> {
  const made = await ParallelLanes.create(options, lanes);
  try {
    return await use(made);
  } finally {
    await made.close();
  }
}

/** Two turns and retries that fork from the first, then other weights. */
async function episode(lanes: ParallelLanes): Promise<Generation[]> {
  const first = Array.from({ length: 7 }, (_, i) => request(`a${i}`, [1, 3 + i, 5], { maxTokens: 20 }));
  const turn = await lanes.generate(first);
  const second = first.map(({ ids, session }, i) =>
    request(session, [...ids, ...turn[i].ids, 8, 9], { seed: `${session}/1`, maxTokens: 20 })
  );
  const retries = first.map(({ ids, session }, i) =>
    request(`r${i}`, [...ids, ...turn[i].ids, 11], { parent: session, maxTokens: 20 })
  );
  const later = await lanes.generate([...second, ...retries]);
  await lanes.sync(initLlamaWeights(tinyConfig, 8), 3);
  return [...turn, ...later, ...await lanes.generate(second)];
}

Deno.test("lanes sample what one lane samples, in the order of the requests", async () => {
  const run = (lanes: ParallelLanes) =>
    episode(lanes).then((all) => ({ all, counters: lanes.counters, version: lanes.version }));
  const [one, three, again] = [await withLanes(1, run), await withLanes(3, run), await withLanes(3, run)];
  assertEquals(again, three);
  assertEquals([three.version, three.counters], [3, one.counters]);
  assertEquals(three.all.map(({ ids }) => ids), one.all.map(({ ids }) => ids));
  const gap = three.all.flatMap(({ logprobs }, i) =>
    logprobs.map((x, t) => Math.abs(x - one.all[i].logprobs[t]))
  );
  assert(gap.length > 100 && Math.max(...gap) < 1e-5, `${Math.max(...gap)}`);
});

Deno.test("what goes wrong in a worker is a PolicyError, and the lanes go on", () =>
  withLanes(2, async (lanes) => {
    const fine = request("fine", [1, 2]);
    const refused = async (requests: Parameters<ParallelLanes["generate"]>[0], reason: RegExp) => {
      const error = await lanes.generate(requests).then(() => undefined, (error) => error);
      assert(error instanceof PolicyError);
      assertMatch(error.message, reason);
    };
    // The second request is the worker's.
    await refused([fine, request("long", Array(96).fill(1))], /session long: the prompt has 96 tokens/);
    await refused([fine, request("twice", [1]), request("twice", [1])], /twice: two requests of one call/);
    const [{ ids }] = await lanes.generate([fine]);
    assert(ids.length > 0);
    const misfit = new Map([...tinyWeights].slice(1));
    const error = await lanes.sync(misfit, 1).then(() => undefined, (error) => error);
    assert(error instanceof PolicyError);
    assertMatch(error.message, /embed_tokens.weight is missing/);
  }));

Deno.test("an abort ends every lane between two runs", () =>
  withLanes(2, async (lanes) => {
    const calls = Array.from({ length: 8 }, (_, i) => request(`c${i}`, [1, 5], { maxTokens: 90 }));
    const whole = await lanes.generate(calls);
    const sampled = lanes.counters.generatedTokens;
    lanes.release();
    const error = await lanes.generate(calls, AbortSignal.abort()).then(() => undefined, (error) => error);
    assert(error instanceof PolicyError);
    assertMatch(error.message, /interrupted/);
    const cut = lanes.counters.generatedTokens - sampled;
    assert(cut < sampled / 2, `the call went on: ${cut} of ${sampled} tokens`);
    lanes.release();
    assertEquals(await lanes.generate(calls), whole);
  }));

Deno.test("lanes sample with new adapters what one lane samples with them", async () => {
  const lora = { rank: 2, alpha: 4, targetModules: [] };
  const { config, weights } = addLora({ config: tinyConfig, weights: tinyWeights }, lora);
  const moved = new Map(
    [...weights].map(([name, { shape, data }]) =>
      [name, { shape, data: isAdapterName(name) ? data.map((x, i) => x + Math.sin(i)) : data }] as const
    ),
  );
  const requests = Array.from({ length: 5 }, (_, i) => request(`a${i}`, [1, 3 + i], { maxTokens: 12 }));
  const sampled = async (count: number) => {
    const lanes = await ParallelLanes.create({ ...options, config, weights }, count);
    try {
      await lanes.sync(weights, 1);
      const before = await lanes.generate(requests);
      await lanes.sync(moved, 2);
      return [before, await lanes.generate(requests)].map((all) => all.map(({ ids }) => ids));
    } finally {
      await lanes.close();
    }
  };
  const [one, two] = [await sampled(1), await sampled(2)];
  assertEquals(two, one);
  assert(JSON.stringify(one[0]) !== JSON.stringify(one[1]));
});
