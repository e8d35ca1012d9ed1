import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Effect, Result } from "effect";
import { requireData, requireFiles, sameTokenizer } from "../../../pipelines/command/require_files.ts";
import { metadataOf, pieceMetadataOf } from "../../stages/engine/gguf/_metadata.ts";
import { encodeGguf } from "../../stages/engine/gguf/_write_gguf.ts";
import { smallConfig } from "../_train.ts";

function faults(...overrides: readonly string[]): Record<string, string> {
  const result = Effect.runSync(Effect.result(requireFiles(smallConfig(...overrides))));
  if (Result.isSuccess(result)) return {};
  return Object.fromEntries(result.failure.faults.map(({ path, message }) => [path, message]));
}

const grpo = "algorithm.name=grpo";

Deno.test("every file that is missing is a fault with its key", () => {
  const found = faults(
    "task.environment=countdown",
    "data.train=no/train.jsonl",
    "data.valid=fixtures/questions/countdown.jsonl",
    "algorithm.name=sft",
    "algorithm.offline=no/demonstrations.jsonl",
  );
  assertEquals(Object.keys(found), ["data.train", "algorithm.offline"]);
  assertStringIncludes(found["data.train"], "no/train.jsonl cannot be read: No such file");
});

Deno.test("a folder is no file of rows; the shop's files are looked for too, below a benchmark by its key", () => {
  assertEquals(faults("task.environment=countdown", "data.train=fixtures"), {
    "data.train": "fixtures is a folder, not a file",
  });
  const config = smallConfig(
    "task.environment=shop",
    "data.shop.products=no/products.json",
    "data.shop.attributes=no/attributes.json",
  );
  const result = Effect.runSync(Effect.result(requireData(config, "eval.benchmarks[1].")));
  assert(Result.isFailure(result));
  assertEquals(result.failure.faults.map(({ path }) => path), [
    "eval.benchmarks[1].data.shop.products",
    "eval.benchmarks[1].data.shop.attributes",
  ]);
});

Deno.test("a reference policy needs the trained policy's tokenizer", () => {
  assertEquals(faults(grpo, "policy.reference=fixtures/policies/rule-blind"), {});
  assertStringIncludes(
    faults(grpo, "policy.reference=no/such/model")["policy.reference"],
    "no/such/model/config.json cannot",
  );
  const folder = Deno.makeTempDirSync();
  try {
    Deno.writeTextFileSync(`${folder}/config.json`, "{}");
    const other = () => faults(grpo, `policy.reference=${folder}`)["policy.reference"];
    assertStringIncludes(other(), `${folder}/tokenizer.json: no such file`);
    const text = Deno.readTextFileSync("fixtures/policies/household/tokenizer.json");
    Deno.writeTextFileSync(`${folder}/tokenizer.json`, text.replaceAll('"<act>"', '"<turn>"'));
    assert(text.includes('"<act>"'));
    assertStringIncludes(
      other(),
      'another tokenizer than policy.path fixtures/policies/household: id 4 is "<turn>" here and "<act>" there',
    );
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test("a GGUF file as reference or teacher has the tokenizer of its metadata", () => {
  const folder = Deno.makeTempDirSync();
  const file = `${folder}/m.gguf`;
  const fault = (own: string) => sameTokenizer("teacher", file, own).map(({ message }) => message).join();
  try {
    Deno.writeFileSync(file, encodeGguf(metadataOf("smollm2", "smollm")));
    assertEquals(fault("fixtures/tokenizers/smollm2"), "");
    assertEquals(fault(file), "");
    assertStringIncludes(
      fault("fixtures/tokenizers/llama3"),
      "m.gguf has another tokenizer than policy.path",
    );
    Deno.writeFileSync(file, encodeGguf(pieceMetadataOf("phi3")));
    assertStringIncludes(fault("fixtures/tokenizers/smollm2"), "has another tokenizer than");
    Deno.writeFileSync(file, encodeGguf(new Map([["tokenizer.ggml.model", "t5"]])));
    assertStringIncludes(fault("fixtures/tokenizers/phi3"), 'm.gguf: tokenizer.ggml.model is "t5"');
    Deno.removeSync(file);
    assertStringIncludes(fault("fixtures/tokenizers/phi3"), "m.gguf cannot be read");
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test("training stops at a missing file with exit code 2 and makes no run folder", async () => {
  const folder = Deno.makeTempDirSync();
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--no-check", "--allow-read", "--allow-write", "--allow-ffi", "--allow-env"],
      "pipelines/verbs/train.ts",
      `trainer.run_dir=${folder}/run`,
      "task.environment=math",
      "data.train=no/such.jsonl",
    ],
    stdin: "null",
  }).output();
  assertEquals(code, 2);
  assertStringIncludes(new TextDecoder().decode(stderr), "data.train: no/such.jsonl cannot be read");
  assertEquals([...Deno.readDirSync(folder)], []);
  Deno.removeSync(folder);
});
