import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Effect, Result } from "effect";
import { requireFiles } from "../../../pipelines/command/require_files.ts";
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
