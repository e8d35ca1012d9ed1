import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { Effect } from "effect";
import { Engine } from "../../../stages/engine/engine.ts";
import { onnxEngine } from "../../../stages/engine/onnx_engine.ts";
import { readLlamaFolder } from "../../../stages/engine/read_llama_folder.ts";
import { readSafetensors } from "../../../stages/engine/read_safetensors.ts";
import { Generator } from "../../../stages/policy/onnx/generator.ts";
import { gradientOf, relativeDifference } from "./_tiny.ts";

const root = new URL("../../../fixtures/models/", import.meta.url).pathname;
const TOLERANCE = 1e-4;

interface Expected {
  readonly temperature: number;
  readonly adamw: {
    lr: number;
    beta1: number;
    beta2: number;
    eps: number;
    weightDecay: number;
    clipNorm: number;
  };
  readonly gradNorm: number;
  readonly rows: {
    ids: number[];
    weights: number[];
    entropyWeights: number[];
    logprobs: number[];
    entropy: number[];
  }[];
  readonly greedy: { ids: number[]; logprobs: number[] };
}

for (const name of ["smollm2", "llama3", "qwen2", "qwen3", "phi3", "phi35"]) {
  const folder = `${root}${name}`;
  const expected: Expected = JSON.parse(Deno.readTextFileSync(`${folder}/expected.json`));
  const golden = Effect.runPromise(readSafetensors(`${folder}/expected.safetensors`));
  const { temperature, rows } = expected;
  const engine = onnxEngine({ folder }, { provider: "cpu", threads: 1 });
  const flat = (parts: readonly ArrayLike<number>[]) => parts.flatMap((p) => Array.from(p));

  Deno.test(`${name}: log-probabilities, entropies, gradient and AdamW step equal transformers'`, async () => {
    const { tensors } = await golden;
    const check = Effect.gen(function* () {
      const e = yield* Engine;
      const found = yield* e.logprobs(rows.map(({ ids }) => ids), { temperature, entropy: true });
      const tail = (values: readonly Float32Array[]) => flat(values.map((v) => v.subarray(1)));
      assert(relativeDifference(tail(found.logprobs), rows.flatMap((r) => r.logprobs)) < TOLERANCE);
      assert(relativeDifference(tail(found.entropy!), rows.flatMap((r) => r.entropy)) < TOLERANCE);
      yield* e.accumulate(rows, { temperature });
      const { gradNorm } = yield* e.optimStep(expected.adamw);
      assertAlmostEquals(gradNorm, expected.gradNorm, expected.gradNorm * TOLERANCE);
      for (const [parameter, { data }] of yield* e.weights) {
        const stepped = tensors.get(`stepped.${parameter}`)!.data;
        assert(relativeDifference(data, stepped) < TOLERANCE, `step of ${parameter}`);
      }
    });
    await Effect.runPromise(Effect.provide(check, engine));
    const fresh = Effect.gen(function* () {
      const e = yield* Engine;
      yield* e.accumulate(rows, { temperature });
      return { gradient: yield* gradientOf(e), names: [...(yield* e.weights).keys()] };
    });
    const { gradient, names } = await Effect.runPromise(Effect.provide(fresh, engine));
    assertEquals(names.length * 2, tensors.size);
    let at = 0;
    for (const parameter of names) {
      const want = tensors.get(`gradient.${parameter}`)!.data;
      const found = gradient.subarray(at, at += want.length);
      assert(relativeDifference(found, want) < TOLERANCE, `gradient of ${parameter}`);
    }
  });

  Deno.test(`${name}: greedy text equals transformers', sampled log-probabilities the training graph's`, async () => {
    const { config, weights } = await Effect.runPromise(readLlamaFolder(folder));
    const generator = await Generator.create({
      config,
      weights,
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
