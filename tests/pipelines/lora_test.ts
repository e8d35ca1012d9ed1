import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { Effect, Result } from "effect";
import { copyPolicyFiles } from "../../pipelines/run_folder/policy_files.ts";
import { runLayers } from "../../pipelines/run/run_layers.ts";
import { loadConfig } from "../../stages/config/load_config.ts";
import { Engine } from "../../stages/engine/engine.ts";
import { Policy } from "../../stages/policy/policy.ts";
import { smallConfig } from "./_train.ts";

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

Deno.test("the reference of a run that resumes is what the run started from, not its checkpoint", async () => {
  const folder = await Deno.makeTempDir();
  const load = (path: string) =>
    Result.getOrThrow(
      loadConfig({
        source: "test",
        overrides: [
          "policy.lora.rank=2",
          "engine.provider=cpu",
          "engine.threads=1",
          `policy.path=${path}`,
        ],
      }),
    );
  const ids = [[5, 6, 7, 8]];
  /** Takes a step from `at`, saves `to`; log-probabilities under policy and reference before it. */
  const step = (path: string, at: string, to: string) =>
    Effect.runPromise(
      Effect.gen(function* () {
        const engine = yield* Engine;
        const policy = (yield* engine.logprobs(ids)).logprobs;
        const reference = (yield* engine.reference!(ids)).logprobs;
        yield* engine.accumulate([{ ids: ids[0], weights: [0, 1, 1, 1] }]);
        yield* engine.optimStep({
          lr: 0.05,
          beta1: 0.9,
          beta2: 0.98,
          eps: 1e-8,
          weightDecay: 0,
          clipNorm: 0,
        });
        yield* Effect.sync(() => Deno.mkdirSync(to));
        yield* engine.save(to);
        yield* Effect.sync(() => copyPolicyFiles(path, to));
        return { policy, reference };
      }).pipe(Effect.provide(runLayers(load(path), at))),
    );
  try {
    const { path } = smallConfig().policy;
    const first = await step(path, path, `${folder}/1`);
    assertEquals(first.reference, first.policy);
    const resumed = await step(path, `${folder}/1`, `${folder}/2`);
    assertNotEquals(resumed.policy, first.policy);
    assertEquals(resumed.reference, first.policy);
    // A run that starts from adapters has these as its reference, again after it resumes.
    const second = await step(`${folder}/1`, `${folder}/1`, `${folder}/3`);
    assertEquals(second.reference, resumed.policy);
    const third = await step(`${folder}/1`, `${folder}/3`, `${folder}/4`);
    assertNotEquals(third.policy, second.policy);
    assertEquals(third.reference, resumed.policy);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
