import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { Effect } from "effect";
import type { EnvironmentChoice } from "../../../envs/environment_choice.ts";
import { Environment, type Split, type Task } from "../../../envs/env.ts";
import { environments } from "../../../envs/registry.ts";
import { choiceOf } from "../_choice.ts";

type Name = "countdown" | "math" | "function_call" | "multiple_choice";

const folder = new URL("../../../fixtures/questions/", import.meta.url).pathname;
const filesOf = (test: string) => ({ train: null, valid: null, test: folder + test });

interface Played {
  readonly task: Task;
  readonly won: boolean;
  readonly lost: boolean;
  readonly feedback: string;
}

/** Plays the first `count` tasks: once with the oracle's reply, once with a wrong one. */
function playAll(name: Name, choice: EnvironmentChoice, split: Split, count: number) {
  return Effect.runPromise(Effect.result(
    Effect.scoped(Effect.gen(function* () {
      const { size, task: taskAt, format, open } = yield* Environment;
      const played: Played[] = [];
      for (let index = 0; index < Math.min(count, size(split)); index++) {
        const task = yield* taskAt(split, index);
        const episode = yield* open(task);
        const first = yield* episode.reset;
        assertMatch(format.user(first, 0, ""), /answer|box|JSON|number/i);
        const [reply] = yield* episode.oracle;
        const said = `<think>Hm, \\boxed{0} <answer>1</answer> #### 1</think> ${reply}`;
        const right = yield* episode.step(format.action(said));
        yield* episode.reset;
        const wrong = yield* episode.step(format.action("I do not know."));
        played.push({
          task,
          won: right.won,
          lost: wrong.done && !wrong.won,
          feedback: yield* episode.feedback,
        });
      }
      return played;
    })).pipe(Effect.provide(environments[name](choice))),
  ));
}

async function check(
  name: Name,
  choice: Partial<EnvironmentChoice>,
  kinds: readonly string[],
  count: number,
) {
  const result = await playAll(name, choiceOf(choice), "test", 100);
  assert(result._tag === "Success", result._tag === "Failure" ? result.failure.message : "");
  const played = result.success;
  assertEquals(played.length, count);
  assertEquals([...new Set(played.map(({ task }) => task.kind))], kinds);
  assertEquals(new Set(played.map(({ task }) => task.id)).size, count);
  for (const { task, won, lost, feedback } of played) {
    assert(won, `${task.id}: the oracle loses`);
    const isIrrelevance = task.kind === "irrelevance";
    assertEquals([lost, feedback], isIrrelevance ? [false, "Success."] : [true, "Failure: wrong answer."]);
  }
}

Deno.test("countdown rows in TinyZero's form", () =>
  check("countdown", { files: filesOf("countdown.jsonl") }, ["3_numbers", "4_numbers"], 20));

Deno.test("mathematical rows of every set", async () => {
  await check("math", { files: filesOf("math500.jsonl") }, ["math"], 10);
  await check("math", { files: filesOf("olympiadbench.jsonl") }, ["olympiadbench"], 5);
  await check("math", { files: filesOf("gsm8k.jsonl") }, ["gsm8k"], 8);
  await check("math", { files: filesOf("gsm8k.jsonl"), mathAnswer: "hashes" }, ["gsm8k"], 8);
  const kinds = ["minerva", "contest", "math", "dapo", "openr1"];
  await check("math", { files: filesOf("invented_math.jsonl") }, kinds, 6);
});

Deno.test("multiple-choice rows of every set", async () => {
  await check("multiple_choice", { files: filesOf("mmlu_pro.jsonl") }, ["mmlu_pro"], 3);
  await check("multiple_choice", { files: filesOf("hellaswag.jsonl") }, ["hellaswag"], 3);
  await check("multiple_choice", { files: filesOf("invented_arc.jsonl") }, ["arc"], 3);
});

Deno.test("function-call rows of BFCL and xLAM", async () => {
  for (const kind of ["simple_python", "parallel_multiple", "irrelevance"]) {
    await check("function_call", { files: filesOf(`bfcl/BFCL_v4_${kind}.json`) }, [kind], 3);
  }
  await check("function_call", { files: filesOf("invented_xlam.jsonl") }, ["xlam"], 1);
});

/** Per environment: a good row, a malformed one, and the field that is wrong with it. */
const malformed: readonly (readonly [Name, unknown, unknown, string])[] = [
  ["countdown", { nums: [1, 2, 3], target: 6 }, { nums: [1, "2"], target: 6 }, "nums"],
  ["math", { question: "1+1?", answer: "2" }, { question: "1+1?", answer: ["2", "3"] }, "answer"],
  [
    "function_call",
    { query: "Go.", tools: "[]", answers: '[{"name":"go","arguments":{}}]' },
    { query: "Go.", tools: "[]", answers: '[{"name":"go"' },
    "answers",
  ],
  [
    "multiple_choice",
    { question: "Which?", options: ["a", "b"], answer: "B", answer_index: 1 },
    { question: "Which?", options: ["a", "b"], answer: "C" },
    "answer",
  ],
];

for (const [name, good, bad, field] of malformed) {
  Deno.test(`${name}: a malformed row stops the run unless the configuration allows the share`, async () => {
    const path = await Deno.makeTempFile({ suffix: ".jsonl" });
    const files = { train: null, valid: null, test: path };
    const lines = [good, bad, good, good].map((row) => JSON.stringify(row));
    await Deno.writeTextFile(path, lines.join("\n"));
    try {
      const strict = await playAll(name, choiceOf({ files, badRows: 0.24 }), "test", 9);
      assert(strict._tag === "Failure");
      assertStringIncludes(strict.failure.message, `${path}: 1 of 4 rows are malformed`);
      assertStringIncludes(strict.failure.message, `row 2, field ${field}: `);
      assert(!strict.failure.message.includes("\n"));
      const allowed = await playAll(name, choiceOf({ files, badRows: 0.25 }), "test", 9);
      assert(allowed._tag === "Success");
      assertEquals(allowed.success.map(({ won }) => won), [true, true, true]);
    } finally {
      await Deno.remove(path);
    }
  });
}

Deno.test("a malformed row of BFCL's answers makes its question malformed, not another one", async () => {
  const folder = await Deno.makeTempDir();
  const test = `${folder}/BFCL_v4_simple.json`;
  const answers = `${folder}/possible_answer/BFCL_v4_simple.json`;
  const question = (id: string) => ({ id, question: [[{ role: "user", content: id }]], function: [] });
  const truth = (id: string) => ({ id, ground_truth: [{ go: { to: [id] } }] });
  try {
    await Deno.mkdir(`${folder}/possible_answer`);
    await Deno.writeTextFile(test, ["a", "b", "c"].map((id) => JSON.stringify(question(id))).join("\n"));
    const lines = [JSON.stringify(truth("a")), '{"id":', JSON.stringify(truth("c"))];
    await Deno.writeTextFile(answers, lines.join("\n"));
    const files = { train: null, valid: null, test };
    const strict = await playAll("function_call", choiceOf({ files }), "test", 9);
    assert(strict._tag === "Failure");
    assertStringIncludes(strict.failure.message, `${answers}: 1 of 3 rows are malformed`);
    const allowed = await playAll("function_call", choiceOf({ files, badRows: 0.4 }), "test", 9);
    assert(allowed._tag === "Success");
    assertEquals(allowed.success.map(({ task }) => task.id.slice(-1)), ["a", "c"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("the shipped malformed rows are told by row and field", async () => {
  const files = filesOf("mmlu_pro_malformed.jsonl");
  const strict = await playAll("multiple_choice", choiceOf({ files }), "test", 9);
  assert(strict._tag === "Failure");
  assertMatch(strict.failure.message, /mmlu_pro_malformed\.jsonl: .*row 3, field answer_index/);
  const xlam = await playAll(
    "function_call",
    choiceOf({ files: filesOf("invented_xlam_malformed.jsonl") }),
    "test",
    9,
  );
  assert(xlam._tag === "Failure");
  assertMatch(xlam.failure.message, /row 2, field answers/);
});

Deno.test("generated countdown tasks can be solved, are the same again and differ by split", async () => {
  for (const level of [1, 2]) {
    const choice = choiceOf({ level });
    const [a, b, valid] = await Promise.all([
      playAll("countdown", choice, "train", 30),
      playAll("countdown", choice, "train", 30),
      playAll("countdown", choice, "valid", 30),
    ]);
    assert(a._tag === "Success" && b._tag === "Success" && valid._tag === "Success");
    assert(a.success.every(({ won, lost }) => won && lost));
    assertEquals(a.success, b.success);
    assert(a.success.some(({ task }, i) => task.payload !== valid.success[i].task.payload));
    const gold = (task: Task) => (task.payload as { gold: { nums: number[]; target: number } }).gold;
    assert(a.success.every(({ task }) => gold(task).nums.length === level + 2));
    assert(a.success.every(({ task }) => gold(task).target >= 10 && gold(task).target <= 100));
  }
});
