import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { Effect, Layer } from "effect";
import { environmentOf } from "../../../pipelines/run/environment_of.ts";
import { buildNegatives } from "../../../pipelines/negatives/build_negatives.ts";
import { readNegatives } from "../../../pipelines/negatives/read_negatives.ts";
import { policyLayer } from "../../../pipelines/run/run_layers.ts";
import { FileError } from "../../../stages/errors.ts";
import { smallConfig } from "../_train.ts";

/** Rows in OpenR1-Math's fields. */
const rows = [
  {
    uuid: "sum",
    problem: "What is 2 + 2?",
    answer: "4",
    // Wrong; right; wrong but cut short; said to be wrong, by one judge only; no answer; wrong in the same way.
    generations: [
      "<think>so 5</think>It is \\boxed{5}.",
      "\\boxed{4}",
      "\\boxed{6}",
      "\\boxed{7}",
      "I give up.",
      "Once more \\boxed{5}",
    ],
    correctness_math_verify: [false, true, false, false, false, false],
    correctness_llama: [false, true, false, true, false, false],
    is_reasoning_complete: [true, true, false, true, true, true],
  },
  {
    uuid: "product",
    problem: "What is 2 * 3?",
    answer: "6",
    // A judge that was wrong itself: the environment calls it right.
    generations: ["\\boxed{6}", "\\boxed{8}"],
    correctness_math_verify: [false, false],
    correctness_llama: null,
    is_reasoning_complete: [true, true],
  },
];

const folder = await Deno.makeTempDir();

async function build(name: string, lines: readonly unknown[], ...overrides: readonly string[]) {
  await Deno.writeTextFile(`${folder}/data.jsonl`, rows.map((row) => JSON.stringify(row)).join("\n"));
  const from = `${folder}/${name}-recorded.jsonl`;
  await Deno.writeTextFile(from, lines.map((row) => JSON.stringify(row)).join("\n"));
  const out = `${folder}/${name}.jsonl`;
  const config = smallConfig(
    ...["task.environment=math", `data.train=${folder}/data.jsonl`, "negatives.keep=4"],
    ...[`negatives.from=${from}`, `negatives.out=${out}`, ...overrides],
  );
  const batches = await Effect.runPromise(buildNegatives(config));
  const written = (await Deno.readTextFile(out)).trim().split("\n").map((line) => JSON.parse(line));
  return { config, batches, written, out };
}

Deno.test("whole failures that all judges and the environment call wrong are kept, one for each answer", async () => {
  const { config, batches, written, out } = await build("some", rows);
  assertEquals(written.length, 2);
  const [sum, product] = written;
  assertEquals([sum.task, sum.index, sum.samples, sum.wins], ["math/train/000000/sum", 0, 6, 1]);
  assertMatch(sum.replies[0], /boxed\{5\}/);
  assertEquals(product.replies, ["\\boxed{8}"]);
  const [{ attempts, failures, usable }] = batches;
  assertEquals([attempts, failures, usable], [8, 5, 3]);
  const limits = { template: "{problem}{attempt}", maxPrompt: 400, verify: true };
  const services = Layer.mergeAll(policyLayer(config, config.policy.path), environmentOf(config));
  const read = await Effect.runPromise(readNegatives(out, limits, 0).pipe(Effect.provide(services)));
  assertEquals(read.tasks, 2);
});

Deno.test("what follows the thought is shown where the whole attempt is too long", async () => {
  const long = {
    ...rows[0],
    generations: rows[0].generations.map((text) => `<think>${"so ".repeat(600)}</think>${text}`),
  };
  const settings = ["negatives.keep=1", "negatives.fit=solution_only"];
  const { written } = await build("long", [long], ...settings);
  assertMatch(written[0].attempt, /^(<think>so 5<\/think>)?(It is|Once more) \\boxed\{5\}\.?$/);
});

Deno.test("recorded attempts that fit no task, or lack a field, are told with file, row and field", async () => {
  const fault = async (name: string, row: unknown) => {
    const error = await assertRejects(() => build(name, [row]), FileError);
    return error.message;
  };
  assertMatch(
    await fault("other", { ...rows[0], uuid: "none" }),
    /other-recorded.jsonl: .*row 1, field uuid: no task of split train is "none"/,
  );
  assertMatch(
    await fault("short", { ...rows[0], is_reasoning_complete: [true] }),
    /row 1, field is_reasoning_complete: expected 6 values, got \[true\]/,
  );
});
