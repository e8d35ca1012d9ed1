import { assert, assertEquals } from "@std/assert";
import { Effect } from "effect";
import { Engine } from "../../../stages/engine/engine.ts";
import { onnxEngine } from "../../../stages/engine/onnx_engine.ts";
import { readLlamaFolder } from "../../../stages/engine/read_llama_folder.ts";
import { Generator } from "../../../stages/policy/onnx/generator.ts";
import { checkGoldens, models, readExpected, TOLERANCE } from "./_golden.ts";
import { relativeDifference } from "./_tiny.ts";

for (const name of ["smollm2", "llama3", "qwen2", "qwen3", "phi3", "phi35"]) {
  const folder = `${models}/${name}`;
  const expected = readExpected(folder);
  const { temperature, rows } = expected;
  const engine = onnxEngine({ folder }, { provider: "cpu", threads: 1 });

  Deno.test(`${name}: log-probabilities, entropies, gradient and AdamW step equal transformers'`, async () => {
    await checkGoldens(folder, engine);
  });

  Deno.test(`${name}: greedy text equals transformers', sampled log-probabilities the training graph's`, async () => {
    const { config, weights } = await Effect.runPromise(readLlamaFolder(folder));
    for (const packWeights of [false, true]) {
      const generator = await Generator.create({
        config,
        weights,
        packWeights,
        stopIds: new Set(),
        sessionOptions: { intraOpNumThreads: 1 },
      });
      const prompt = rows[0].ids;
      const [greedy, sampled] = await generator.generate([
        { ids: prompt, maxTokens: 12, temperature: 0, seed: "a", session: "a" },
        { ids: rows[2].ids, maxTokens: 12, temperature, seed: "b", session: "b" },
      ]).finally(() => generator.close());
      assertEquals(greedy.ids, expected.greedy.ids);
      assert(relativeDifference(greedy.logprobs, expected.greedy.logprobs) < TOLERANCE);
      const whole = [...rows[2].ids, ...sampled.ids];
      const { logprobs } = await Effect.runPromise(
        Effect.provide(Effect.flatMap(Engine, (e) => e.logprobs([whole], { temperature })), engine),
      );
      assert(relativeDifference(sampled.logprobs, logprobs[0].subarray(rows[2].ids.length)) < TOLERANCE);
    }
  });

  Deno.test(`${name}: what is saved keeps every field of config.json and loads again`, async () => {
    const saved = await Deno.makeTempDir();
    try {
      const logprobs = await Effect.runPromise(Effect.provide(
        Effect.gen(function* () {
          const e = yield* Engine;
          yield* e.save(saved);
          return (yield* e.logprobs([rows[0].ids])).logprobs;
        }),
        engine,
      ));
      const [before, after] = [folder, saved].map((f) =>
        JSON.parse(Deno.readTextFileSync(`${f}/config.json`))
      );
      assertEquals(after, { ...before, dtype: "float32" });
      const again = Effect.gen(function* () {
        const e = yield* Engine;
        yield* e.load(saved);
        return (yield* e.logprobs([rows[0].ids])).logprobs;
      });
      assertEquals(await Effect.runPromise(Effect.provide(again, engine)), logprobs);
    } finally {
      await Deno.remove(saved, { recursive: true });
    }
  });
}
