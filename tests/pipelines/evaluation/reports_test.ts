import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import fc from "fast-check";
import { evalFaults } from "../../../pipelines/evaluation/eval_faults.ts";
import type { EvalReport } from "../../../pipelines/evaluation/eval_report.ts";
import { forgetting } from "../../../pipelines/evaluation/forgetting.ts";
import { guidanceReport } from "../../../pipelines/evaluation/guidance_report.ts";
import { successReport } from "../../../pipelines/evaluation/success_report.ts";
import type { Diagnosis, Retry } from "../../../stages/record.ts";
import { attemptOf, groupOf, verdictOf } from "./_judged.ts";

Deno.test("success of several attempts: every number, worked by hand", () => {
  const right = () => attemptOf(true, { verdict: verdictOf("ok", "4") });
  const wrong = (answer: string) => attemptOf(false, { verdict: verdictOf("wrong", answer) });
  const none = attemptOf(false, { verdict: verdictOf("missing") });
  const late = attemptOf(false, {
    verdict: verdictOf("unchecked"),
    failure: "the answer was not checked",
    reward: null,
  });
  const report = successReport([
    groupOf("a", "x", [right(), wrong("5"), wrong("5"), right()]),
    groupOf("b", "y", [wrong("1"), none, late, attemptOf(true, { verdict: verdictOf("ok", "2") }, 2)]),
  ], 0.7);
  assertEquals([report.tasks, report.attempts, report.success], [2, 4, 3 / 8]);
  assertEquals(Object.keys(report.passAt), ["1", "2", "4"]);
  assertAlmostEquals(report.passAt[2], (5 / 6 + 1 / 2) / 2, 1e-12);
  assertEquals([report.passAt[1], report.passAt[4]], [3 / 8, 1]);
  // Task a: two against two; b: 1 against 2.
  assertEquals(report.majorityAt?.[4], 0.5);
  assertEquals([report.unparseable, report.failed, report.cut], [1 / 8, 1 / 8, 0]);
  assertEquals(report.categories, { ok: 3 / 8, wrong: 3 / 8, missing: 1 / 8, unchecked: 1 / 8 });
  assertEquals(report.within, [2 / 8, 3 / 8]);
  assertEquals(report.byKind, { x: [2, 4], y: [1, 4] });
  // A task counts once: the interval is that of 0.75 of 2, wider than that of 3 of 8.
  assert(report.interval[1] - report.interval[0] > 0.7);
});

Deno.test("categories exclude each other and add up to 1, with success among them", () => {
  const category = fc.constantFrom("ok", "wrong_tool", "wrong_parameter", "missing", "unchecked");
  fc.assert(fc.property(fc.array(category, { minLength: 1, maxLength: 40 }), (categories) => {
    const attempts = categories.map((c) => attemptOf(c === "ok", { verdict: verdictOf(c) }));
    const report = successReport(attempts.map((a, i) => groupOf(String(i), "k", [a])), 1);
    const shares = Object.values(report.categories);
    assertAlmostEquals(shares.reduce((a, b) => a + b, 0), 1, 1e-12);
    assertAlmostEquals(report.categories.ok ?? 0, report.success, 1e-12);
  }));
});

Deno.test("attempts without a verdict are told apart by what is known of them", () => {
  const attempts = [
    attemptOf(true),
    attemptOf(false, { failure: "broken", reward: null }),
    attemptOf(false, { truncated: true }),
    attemptOf(false),
  ];
  const report = successReport(attempts.map((a, i) => groupOf(String(i), "k", [a])), 1);
  assertEquals(report.categories, { environment: 0.25, lost: 0.25, ok: 0.25, truncated: 0.25 });
  assertEquals([report.majorityAt, report.failed], [null, 0.25]);
});

const temperatures = { attempts: 1, reflections: 0.7 };
const diagnosis = (ids: readonly number[], invalid?: string): Diagnosis => ({
  tokens: { ids: [0, ...ids], mask: [0, ...ids.map(() => 1 as const)], logprobs: [0, ...ids.map(() => 0)] },
  report: null,
  ...(invalid === undefined ? {} : { invalid }),
});

Deno.test("a second attempt is counted only after a failure, so it never lowers success", () => {
  const cases = fc.array(
    fc.record({ first: fc.boolean(), second: fc.constantFrom(true, false, undefined) }),
    {
      minLength: 1,
      maxLength: 30,
    },
  );
  fc.assert(fc.property(cases, (cases) => {
    const judged = cases.map(({ first, second }, i) => ({
      task: String(i),
      attempt: { ...attemptOf(first), diagnosis: diagnosis([1, 2]) },
      expert: undefined,
      retry: second === undefined ? undefined : { guided: attemptOf(second) } as Retry,
    }));
    const report = guidanceReport("own", judged, temperatures);
    assert(report.secondSuccess >= report.baseSuccess);
    const rescued = cases.filter(({ first, second }) => !first && second === true).length;
    assertAlmostEquals(report.secondSuccess - report.baseSuccess, rescued / cases.length, 1e-12);
    assert(Object.values(report.byTask).every(([first, second]) => second >= first));
    assertEquals(report.reflections.count, cases.filter(({ first }) => !first).length);
  }));
});

Deno.test("lengths are of the sampled tokens of reflections on failures", () => {
  const judge = (won: boolean, d: Diagnosis) => ({
    task: `${won}${d.tokens.ids.length}${d.invalid}`,
    attempt: { ...attemptOf(won), diagnosis: d },
    expert: undefined,
    retry: undefined,
  });
  const report = guidanceReport("own", [
    judge(true, diagnosis([1, 2, 3, 4, 5, 6, 7, 8])),
    judge(false, diagnosis([1, 1, 1, 1, 1], "truncated")),
    judge(false, diagnosis([1])),
    judge(false, diagnosis([], "not_asked")),
  ], temperatures);
  assertEquals([report.reflections.count, report.reflections.mean, report.reflections.p95], [2, 3, 5]);
  assertEquals([report.cutReflections, report.reflections.distinct4], [0.5, 0.5]);
});

const played = (wins: readonly number[]) =>
  successReport(wins.map((won, i) => groupOf(`task ${i}`, "k", [attemptOf(won === 1)])), 0);

Deno.test("forgetting: a fall passes within the margin or two paired standard errors", () => {
  const all = Array<number>(100).fill(1);
  const less = (lost: number) => all.map((_, i) => i < lost ? 0 : 1);
  const small = forgetting("b", played(all), played(less(2)), 0.02);
  assertEquals([small.before, small.after, small.allowed! > 0.02, small.passed], [1, 0.98, true, true]);
  // Ten of a hundred, paired: standard error sqrt(0.1 * 0.9 / 99) = 0.0302, so 0.0603 are allowed.
  const large = forgetting("b", played(all), played(less(10)), 0.02);
  assertAlmostEquals(large.standardError, Math.sqrt(0.1 * 0.9 / 99), 1e-12);
  assertEquals([large.allowed, large.passed], [2 * large.standardError, false]);
  assertEquals(forgetting("b", played(all), played(less(10)), 0.1).passed, true);
  assertEquals(forgetting("b", played(all), played(less(10)), null).passed, true);
  assertEquals(forgetting("b", played(less(10)), played(all), 0).passed, true);
});

Deno.test("an evaluation with more than its share of unchecked attempts is at fault", () => {
  const success = (late: number) =>
    successReport(
      Array.from({ length: 200 }, (_, i) =>
        groupOf(String(i), "k", [attemptOf(true, i < late ? { failure: "late", won: false } : {})])),
      0.6,
    );
  const report = (late: number): EvalReport => ({
    policies: [{ name: "after", path: "p" }],
    benchmarks: [{
      name: "gsm8k",
      environment: "math",
      split: "test",
      tasks: 200,
      seed: 1,
      maxUnchecked: 0.01,
      results: [{ policy: "after", success: [success(late)], guidance: null }],
    }],
    forgetting: [],
  });
  assertEquals(evalFaults(report(2)), []);
  assertEquals(evalFaults(report(3)), [
    "gsm8k, policy after, temperature 0.6: 1.5 % of the attempts got no verdict, at most 1.0 % may " +
    "(eval.max_unchecked)",
  ]);
  // They are no successes, and are told apart from wrong answers.
  assertEquals([success(3).success, success(3).failed, success(3).unparseable], [197 / 200, 3 / 200, 0]);
});

Deno.test("forgetting compares the same tasks only", () => {
  const other = successReport([groupOf("elsewhere", "k", [attemptOf(true)])], 0);
  let message = "";
  try {
    forgetting("b", played([1]), other, 0);
  } catch (error) {
    message = (error as Error).message;
  }
  assertEquals(message, "b: the policies did not play the same tasks");
});
