import { assert, assertEquals, assertMatch } from "@std/assert";
import { Effect, Fiber } from "effect";
import { Engine } from "../../../stages/engine/engine.ts";
import { initLlamaWeights } from "../../../stages/engine/init_llama_weights.ts";
import { onnxEngine } from "../../../stages/engine/onnx_engine.ts";
import { makeChat } from "../../../stages/policy/make_chat.ts";
import { makeWordTokenizer } from "../../../stages/policy/make_tokenizer.ts";
import { onnxPolicy } from "../../../stages/policy/onnx_policy.ts";
import { Policy } from "../../../stages/policy/policy.ts";
import { request, tinyConfig, tinyWeights } from "./_tiny_model.ts";

const words = [" a", " b", " c", " d", " e", " f", " g", " h", " i", " j", " k", " l", " m", "\n"];
const { tokenizer, tokenizerConfig } = makeWordTokenizer({ words });
const chat = makeChat({ tokenizer, tokenizerConfig, modelConfig: { vocab_size: tinyConfig.vocabSize } });
const layer = onnxPolicy({ config: tinyConfig, weights: tinyWeights, chat });
const run = <A, E>(effect: Effect.Effect<A, E, Policy>) =>
  Effect.runPromise(effect.pipe(Effect.provide(layer)));

Deno.test("sampled log-probabilities are the engine's, over turns and temperatures", async () => {
  const engine = onnxEngine({ config: tinyConfig, weights: tinyWeights });
  const conversation = Effect.gen(function* () {
    const policy = yield* Policy;
    const engine = yield* Engine;
    for (const temperature of [1, 0.7]) {
      const contexts = [" a b", " c", " d e f g"].map((content) =>
        policy.chat.open([{ role: "user", content }])
      );
      const known: Map<number, number>[] = contexts.map(() => new Map());
      for (let turn = 0; turn < 3; turn++) {
        const generations = yield* policy.generate(
          contexts.map((ids, i) =>
            request(`${temperature}/${i}`, ids, { temperature, seed: `${temperature}/${i}/${turn}` })
          ),
        );
        generations.forEach(({ ids, logprobs, stopReason }, i) => {
          ids.forEach((_, t) => known[i].set(contexts[i].length + t, logprobs[t]));
          contexts[i].push(...ids, ...policy.chat.extend(" h", stopReason === "stop"));
        });
      }
      const { logprobs } = yield* engine.logprobs(contexts, { temperature });
      known.forEach((sampled, i) => {
        for (const [t, value] of sampled) {
          assert(
            Math.abs(value - logprobs[i][t]) < 1e-4,
            `row ${i}, token ${t}: ${value}, ${logprobs[i][t]}`,
          );
        }
      });
    }
  });
  await run(conversation.pipe(Effect.provide(engine)));
});

Deno.test("the end marker is never added to what was sampled", () =>
  run(Effect.gen(function* () {
    const { chat, generate } = yield* Policy;
    const open = chat.open([{ role: "user", content: " a" }]);
    const generations = yield* generate(
      Array.from({ length: 40 }, (_, i) => request(`${i}`, open, { maxTokens: 4, temperature: 2 })),
    );
    const [end] = chat.stopIds;
    for (const { ids, stopReason } of generations) {
      assertEquals(ids.includes(end), stopReason === "stop");
      const next = [...open, ...ids, ...chat.extend(" b", stopReason === "stop")];
      assertEquals(next.filter((id) => id === end).length, 1);
    }
    assertEquals(new Set(generations.map(({ stopReason }) => stopReason)), new Set(["stop", "length"]));
  })));

Deno.test("calls at the same time are served one after the other", () =>
  run(Effect.gen(function* () {
    const policy = yield* Policy;
    const calls = Array.from(
      { length: 4 },
      (_, i) => [request(`${i}`, [1, 5 + i]), request(`${i}+`, [1, 6, 7])],
    );
    const alone: unknown[] = [];
    for (const call of calls) alone.push(yield* policy.generate(call));
    yield* policy.release();
    const together = yield* Effect.all(calls.map(policy.generate), { concurrency: "unbounded" });
    assertEquals(together as unknown[], alone);
  })));

Deno.test("an interrupted call ends before the next one begins, and changes nothing in it", async () => {
  const stepwise = onnxPolicy({ config: tinyConfig, weights: tinyWeights, chat, chunk: 1 });
  await Effect.runPromise(
    Effect.gen(function* () {
      const policy = yield* Policy;
      const calls = Array.from({ length: 30 }, (_, i) => request(`i${i}`, [1, 5], { maxTokens: 60 }));
      const alone = yield* policy.generate(calls);
      const whole = (yield* policy.counters).generatedTokens;
      yield* policy.release();
      const fiber = yield* Effect.forkChild(policy.generate(calls));
      while ((yield* policy.counters).generatedTokens === whole) {
        yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 0)));
      }
      yield* Fiber.interrupt(fiber);
      const cut = (yield* policy.counters).generatedTokens - whole;
      assert(cut < whole, `the call ran to its end: ${cut} of ${whole} tokens`);
      yield* policy.release();
      assertEquals(yield* policy.generate(calls), alone);
      assertEquals((yield* policy.counters).generatedTokens, 2 * whole + cut);
    }).pipe(Effect.provide(stepwise)),
  );
});

Deno.test("sync changes what is sampled from and says so; counters count", () =>
  run(Effect.gen(function* () {
    const policy = yield* Policy;
    assertEquals([policy.contextLength, yield* policy.version], [96, 0]);
    const greedy = [request("g", [1, 5, 6], { temperature: 0, maxTokens: 8 })];
    const [before] = yield* policy.generate(greedy);
    yield* policy.sync(initLlamaWeights(tinyConfig, 11), 5);
    const [after] = yield* policy.generate(greedy);
    assert(String(after.logprobs) !== String(before.logprobs));
    assertEquals(yield* policy.version, 5);
    assertEquals(yield* policy.counters, {
      generatedTokens: before.ids.length + after.ids.length,
      prefillTokens: 6,
    });
    yield* policy.release(["g"]);
    assertEquals((yield* policy.generate(greedy))[0], after);
    assertEquals((yield* policy.counters).prefillTokens, 9);
  })));

Deno.test("what goes wrong is a PolicyError", async () => {
  const tooLong = request("x", Array(96).fill(1));
  const error = await run(Policy.pipe(Effect.flatMap((policy) => Effect.flip(policy.generate([tooLong])))));
  assertEquals(error._tag, "PolicyError");
  assertMatch(error.message, /session x: the prompt has 96 tokens/);
  const config = { ...tinyConfig, vocabSize: 10 };
  const misfit = onnxPolicy({ config, weights: initLlamaWeights(config, 1), chat });
  const fault = await Effect.runPromise(Effect.flip(Policy.pipe(Effect.provide(misfit))));
  assertMatch(fault.message, /the tokenizer has 19 ids, the model a vocabulary of 10/);
});
