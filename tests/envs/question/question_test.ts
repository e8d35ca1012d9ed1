import { assert, assertEquals, assertThrows } from "@std/assert";
import { Question } from "../../../envs/question/question.ts";
import type { Json, Task, Turn } from "../../../envs/env.ts";
import { reflectionPrompt } from "../../../stages/diagnose/reflection_prompt.ts";
import { EnvError } from "../../../stages/errors.ts";

const options = {
  name: "test",
  verify: (reply: string, gold: Json) => {
    const category = reply === gold
      ? "ok"
      : reply === "hang"
      ? "timeout"
      : reply === ""
      ? "no_answer"
      : "wrong";
    return { ok: category === "ok", category, extracted: reply, reason: "" };
  },
  unparseable: ["no_answer"],
  solution: (gold: Json) => String(gold),
};
const task = (attempts: number): Task => ({
  id: "t",
  kind: "k",
  payload: { question: "Q?", gold: "secret", attempts },
});

Deno.test("attempts end with the right answer or when they are used up, and never tell the answer", () => {
  const env = new Question(options);
  const first = env.reset(task(3));
  assertEquals(first, { observation: "Q?", reward: 0, score: 0, done: false, won: false, truncated: false });
  assertEquals(env.oracle(), ["secret"]);
  const second = env.step("no") as Turn;
  assertEquals([second.done, second.reward, env.feedback()], [false, 0, "Failure: wrong answer."]);
  assert(!second.observation.includes("secret"));
  const right = env.step("secret") as Turn;
  assertEquals([right.done, right.won, right.reward, right.score, env.feedback()], [
    true,
    true,
    1,
    1,
    "Success.",
  ]);
  assertEquals(env.step("secret"), { ...right, reward: 0 });
  assertEquals(env.oracle(), []);

  env.reset(task(2));
  env.step("no");
  const last = env.step("hang") as Turn;
  assertEquals([last.done, last.truncated, env.feedback()], [true, true, "Failure: not checked (timeout)."]);
});

Deno.test("verdicts tell wrong answers, missing ones and unchecked ones apart, and feedback does not", () => {
  const env = new Question(options);
  env.reset(task(1));
  assertEquals(env.verdict(), null);
  const cases = [
    ["secret", "right", "ok", "Success."],
    ["no", "wrong", "wrong", "Failure: wrong answer."],
    ["", "unparseable", "no_answer", "Failure: wrong answer."],
    ["hang", "unchecked", "timeout", "Failure: not checked (timeout)."],
  ] as const;
  for (const [answer, outcome, category, feedback] of cases) {
    env.reset(task(1));
    env.step(answer);
    assertEquals(env.verdict(), { outcome, category, answer });
    assertEquals(env.feedback(), feedback);
    const other = new Question(options);
    other.restore(JSON.parse(JSON.stringify(env.snapshot())));
    assertEquals(other.verdict(), env.verdict());
  }
});

Deno.test("a snapshot restores the turn it was taken at, through JSON", () => {
  const env = new Question(options);
  env.reset(task(3));
  const wrong = env.step("no");
  const saved = JSON.parse(JSON.stringify(env.snapshot()));
  const mark = env.fingerprint();
  env.step("secret");
  const other = new Question(options);
  assertEquals(other.restore(saved), wrong);
  assertEquals(other.fingerprint(), mark);
  assert((other.step("secret") as Turn).won);
});

Deno.test("what is no task or snapshot is an EnvError with the reason", () => {
  const env = new Question(options);
  assertThrows(() => env.step("x"), EnvError, "no episode");
  assertThrows(() => env.reset({ id: "t", kind: "k", payload: null }), EnvError, "lacks");
  assertThrows(() => env.reset(task(0)), EnvError, "attempts is 0");
  assertThrows(() => env.restore({ version: 9 }), EnvError, "version 9");
  assertThrows(() => env.restore(null), EnvError, "version");
  assertThrows(() => env.restore({ version: 1, used: 1 }), EnvError, "lacks");
});

Deno.test("what asks for a reflection tells nothing of the reason: it is the same for every wrong answer", () => {
  const prompts = ["no", "", "nearly"].map((answer) => {
    const env = new Question(options);
    env.reset(task(1));
    const { observation } = env.step(answer) as Turn;
    return reflectionPrompt(observation, env.feedback(), "What went wrong?");
  });
  assertEquals(new Set(prompts), new Set(["Wrong.\nFailure: wrong answer.\nWhat went wrong?"]));
});
