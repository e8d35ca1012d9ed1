import { assert, assertEquals, assertMatch } from "@std/assert";
import { Effect } from "effect";
import { mergePolicy } from "../../../pipelines/run_folder/merge_policy.ts";
import { onnxEngine } from "../../../stages/engine/onnx_engine.ts";
import { models, readExpected, TOLERANCE, withLayer } from "../../stages/engine/_golden.ts";
import { relativeDifference } from "../../stages/engine/_tiny.ts";

Deno.test("merged adapters are a model folder that computes what PEFT's do", async () => {
  const adapters = `${models}/smollm2/lora`;
  const { rows, temperature } = readExpected(adapters);
  const out = await Deno.makeTempDir();
  try {
    const { merged, parameters } = await Effect.runPromise(mergePolicy(adapters, out));
    assertEquals([merged, parameters > 0], [true, true]);
    assertEquals([...Deno.readDirSync(out)].map(({ name }) => name).sort(), [
      "config.json",
      "model.safetensors",
    ]);
    const [before, after] = [`${models}/smollm2`, out].map((folder) =>
      JSON.parse(Deno.readTextFileSync(`${folder}/config.json`))
    );
    assertEquals(after, { ...before, dtype: "float32" });
    const { logprobs } = await withLayer(
      onnxEngine({ folder: out }, { provider: "cpu", threads: 1 }),
      (e) => e.logprobs(rows.map(({ ids }) => ids), { temperature }),
    );
    const found = logprobs.flatMap((row) => [...row.subarray(1)]);
    assert(relativeDifference(found, rows.flatMap((row) => row.logprobs)) < TOLERANCE);
    const again = await Effect.runPromise(Effect.flip(mergePolicy(adapters, out)));
    assertMatch(again.message, /config\.json: is there already|model\.safetensors: is there already/);
  } finally {
    await Deno.remove(out, { recursive: true });
  }
});

Deno.test("the tokenizer comes along", async () => {
  const out = await Deno.makeTempDir();
  try {
    const { merged } = await Effect.runPromise(mergePolicy("fixtures/policies/household", out));
    assertEquals(merged, false);
    for (const name of ["tokenizer.json", "tokenizer_config.json"]) {
      const [ours, theirs] = [out, "fixtures/policies/household"].map((f) =>
        Deno.readTextFileSync(`${f}/${name}`)
      );
      assertEquals(ours, theirs);
    }
  } finally {
    await Deno.remove(out, { recursive: true });
  }
});
