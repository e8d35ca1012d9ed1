import { assert, assertEquals } from "@std/assert";
import { Effect, Result } from "effect";
import { runLayers } from "../../pipelines/run/run_layers.ts";
import { loadConfig } from "../../stages/config/load_config.ts";
import { Engine } from "../../stages/engine/engine.ts";
import { Policy } from "../../stages/policy/policy.ts";

Deno.test("policy.lora: adapters alone are trained, and what is sampled comes from them", async () => {
  const config = Result.getOrThrow(
    loadConfig({
      source: "test",
      overrides: ["policy.lora.rank=2", "engine.provider=cpu", "engine.threads=1"],
    }),
  );
  const { path } = config.policy;
  await Effect.runPromise(
    Effect.gen(function* () {
      const engine = yield* Engine;
      const policy = yield* Policy;
      const prompt = policy.chat.open([{ role: "user", content: "mug" }]);
      const ask = { ids: prompt, maxTokens: 4, temperature: 1, seed: "a", session: "a" };
      const gap = Effect.gen(function* () {
        const [{ ids, logprobs }] = yield* policy.generate([ask]);
        const all = (yield* engine.logprobs([[...prompt, ...ids]])).logprobs[0].subarray(prompt.length);
        return Math.max(...logprobs.map((x, i) => Math.abs(x - all[i])));
      });
      assert((yield* gap) < 1e-4);
      const before = (yield* engine.logprobs([prompt])).logprobs[0];
      yield* engine.accumulate([{ ids: prompt, weights: prompt.map(() => 1) }]);
      yield* engine.optimStep({ lr: 0.05, beta1: 0.9, beta2: 0.98, eps: 1e-8, weightDecay: 0, clipNorm: 0 });
      // The old adapters sample until the new ones are handed over.
      assert((yield* gap) > 1e-3);
      yield* policy.sync(yield* engine.weights, 1);
      assert((yield* gap) < 1e-4);
      assertEquals((yield* engine.reference!([prompt])).logprobs[0], before);
    }).pipe(Effect.provide(runLayers(config, path))),
  );
});
