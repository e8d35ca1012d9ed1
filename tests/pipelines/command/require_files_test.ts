import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { Effect, Result } from "effect";
import { requireData, requireFiles, sameTokenizer } from "../../../pipelines/command/require_files.ts";
import { metadataOf, pieceMetadataOf } from "../../stages/engine/gguf/_metadata.ts";
import { encodeGguf } from "../../stages/engine/gguf/_write_gguf.ts";
import { smallConfig } from "../_train.ts";

async function faults(...overrides: readonly string[]): Promise<Record<string, string>> {
  const result = await Effect.runPromise(Effect.result(requireFiles(smallConfig(...overrides))));
  if (Result.isSuccess(result)) return {};
  return Object.fromEntries(result.failure.faults.map(({ path, message }) => [path, message]));
}

const grpo = "algorithm.name=grpo";

Deno.test("every file that is missing is a fault with its key", async () => {
  const found = await faults(
    "task.environment=countdown",
    "data.train=no/train.jsonl",
    "data.valid=fixtures/questions/countdown.jsonl",
    "algorithm.name=sft",
    "algorithm.offline=no/demonstrations.jsonl",
  );
  assertEquals(Object.keys(found), ["data.train", "algorithm.offline"]);
  assertStringIncludes(found["data.train"], "no/train.jsonl cannot be read: No such file");
});

Deno.test("a folder is no file of rows; the shop's files are looked for too, below a benchmark by its key", async () => {
  assertEquals(await faults("task.environment=countdown", "data.train=fixtures"), {
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

Deno.test("a reference policy needs the trained policy's tokenizer", async () => {
  assertEquals(await faults(grpo, "policy.reference=fixtures/policies/rule-blind"), {});
  assertStringIncludes(
    (await faults(grpo, "policy.reference=no/such/model"))["policy.reference"],
    "no/such/model/config.json cannot",
  );
  const folder = Deno.makeTempDirSync();
  try {
    Deno.writeTextFileSync(`${folder}/config.json`, "{}");
    const other = async () => (await faults(grpo, `policy.reference=${folder}`))["policy.reference"];
    assertStringIncludes(await other(), `${folder}/tokenizer.json: no such file`);
    const text = Deno.readTextFileSync("fixtures/policies/household/tokenizer.json");
    Deno.writeTextFileSync(`${folder}/tokenizer.json`, text.replaceAll('"<act>"', '"<turn>"'));
    assert(text.includes('"<act>"'));
    assertStringIncludes(
      await other(),
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

const demonstrations = '{"prompt": "2 + 2?", "completion": "4"}\n{"prompt": "2 + 2?", "answer": "4"}\n';

for (
  const [name, text, reason] of [
    ["sft", demonstrations, "row 2, field (row): expected messages, or prompt and completion, got"],
    ["dpo", demonstrations, "row 1, field chosen: expected a text or a list of messages, got"],
    ["reflect_retry_reward", demonstrations, "row 1, field index: "],
    ["sft", "", "no rows"],
  ]
) {
  Deno.test(`${name} is told before anything else what is wrong with its file: ${reason.slice(0, 28)}`, async () => {
    const file = await Deno.makeTempFile({ suffix: ".jsonl" });
    try {
      await Deno.writeTextFile(file, text);
      const settings = ["task.environment=countdown", `algorithm.name=${name}`, `algorithm.offline=${file}`];
      const found = await faults(...settings);
      assertEquals(Object.keys(found), ["algorithm.offline"]);
      assertStringIncludes(found["algorithm.offline"], `${file}: `);
      assertStringIncludes(found["algorithm.offline"], reason);
      const allowed = name === "sft" && text !== "" ? {} : found;
      assertEquals(Object.keys(await faults(...settings, "data.bad_rows=0.5")), Object.keys(allowed));
    } finally {
      await Deno.remove(file);
    }
  });
}

Deno.test("the files that ship are those of their algorithms", async () => {
  const files = { sft: "demonstrations", dpo: "preferences" };
  for (const [name, file] of Object.entries(files)) {
    assertEquals(
      await faults(`algorithm.name=${name}`, `algorithm.offline=fixtures/offline/${file}.jsonl`),
      {},
    );
  }
});

Deno.test("rows of a policy: too long for its context, ids that are none of its own", async () => {
  const file = await Deno.makeTempFile({ suffix: ".jsonl" });
  const settings = [
    "task.environment=countdown",
    "policy.path=fixtures/policies/countdown",
    `algorithm.offline=${file}`,
  ];
  const told = async (name: string, row: object) => {
    await Deno.writeTextFile(file, JSON.stringify(row));
    return (await faults(...settings, `algorithm.name=${name}`))["algorithm.offline"] ?? "";
  };
  try {
    const long = "1 + ".repeat(400);
    assertMatch(
      await told("sft", { prompt: "a", completion: long }),
      /row 1.*\d+ tokens, the policy's context holds 128/,
    );
    const failure = (ids: readonly number[]) => ({
      index: 0,
      id: "a",
      prompt_hash: "b",
      replies: [{ ids, text: "", stop: "stop" }],
    });
    assertMatch(
      await told("reflect_retry_reward", failure([-5])),
      /row 1, field replies\[0\]\.ids: -5 is no id/,
    );
    assertMatch(await told("reflect_retry_reward", failure([1e6])), /1000000 is no id of a vocabulary of/);
    const many = Array.from({ length: 200 }, () => 3);
    assertMatch(
      await told("reflect_retry_reward", failure(many)),
      /field replies: 200 tokens, the policy's context holds 128/,
    );
    assertEquals(await told("reflect_retry_reward", failure([3])), "");
  } finally {
    await Deno.remove(file);
  }
});

Deno.test({
  name: "a pipe is no file: a run that goes on could not read it again",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    const folder = await Deno.makeTempDir();
    try {
      const pipe = `${folder}/pipe`;
      await new Deno.Command("mkfifo", { args: [pipe] }).output();
      const found = await faults(
        "task.environment=countdown",
        "algorithm.name=sft",
        `algorithm.offline=${pipe}`,
      );
      assertEquals(found, { "algorithm.offline": `${pipe} is no file` });
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});

Deno.test("ALFWorld's games must be somewhere", async () => {
  const source = ["task.environment=household", "task.source=alfworld"];
  assertStringIncludes(
    (await faults(...source, "data.alfworld=no/games"))["data.alfworld"],
    "no/games cannot be read",
  );
});
