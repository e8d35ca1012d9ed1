import { assert, assertAlmostEquals, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { Effect, Stream } from "effect";
import fc from "fast-check";
import { ScoreError } from "../../../stages/errors.ts";
import type { DiagnosedAttempt, Retry, Stitched } from "../../../stages/record.ts";
import { overlongPenalty } from "../../../stages/score/overlong_penalty.ts";
import { maskGroup } from "../../../stages/mask/mask_group.ts";
import { score } from "../../../stages/score/score.ts";
import { scoreGroup } from "../../../stages/score/score_group.ts";
import { cases } from "../_cases.ts";
import { diagnosed, report, retry, stitched } from "../_make_group.ts";

const turns = [["go", 2], ["take", 3], ["put", 2]] as const;

/** A failed base attempt whose retry from turn 1 wins, and a base that won at once. */
function example(): Stitched {
  const failed = diagnosed({ index: 0, turns, reward: 0 }, { report: report(1) });
  const won = diagnosed({ index: 1, turns: turns.slice(0, 2), reward: 1 }, { report: report(null) });
  return stitched([failed, won], [retry(failed, 1, [["open", 2], ["put", 1]], 1)]);
}

Deno.test("base attempts and distilled retries are scored by one rule", () => {
  const { members } = scoreGroup(example());
  assertEquals(members.map((m) => [m.kind, m.attempt, m.reward, m.pivot]), [
    ["base", 0, 0, 1],
    ["base", 1, 1, null],
    ["retry", 0, 1, 1],
  ]);
});

Deno.test("reward `return` keeps the sum of step rewards, `success` only whether it won", () => {
  const half = stitched([diagnosed({ turns, reward: 0.5 }), diagnosed({ index: 1, turns, reward: -0.1 })]);
  assertEquals(scoreGroup(half, { reward: "return" }).members.map((m) => m.reward), [0.5, -0.1]);
  assertEquals(scoreGroup(half).members.map((m) => m.reward), [0, 0]);
});

Deno.test("a base shares pivot and prefix with its retry, and their prefixes are the same ids", () => {
  const { members: [base, , distilled] } = scoreGroup(example());
  assertEquals(base.prefixLength, distilled.prefixLength);
  assert(base.prefixLength > 0);
  assertEquals(base.ids.slice(0, base.prefixLength), distilled.ids.slice(0, base.prefixLength));
});

Deno.test("with several retries the base takes the earliest pivot; a retry without reward counts for nothing", () => {
  const base = diagnosed({ turns, reward: 0 }, { report: report(1) });
  const late = retry(base, 2, [["put", 1]], 1);
  const early = retry(base, 1, [["open", 2]], 0, 1);
  const failed = retry(base, 0, [["look", 1]], null, 2);
  const { members } = scoreGroup(stitched([base], [late, early, failed]));
  assertEquals(members[0].pivot, 1);
  assertEquals(members[0].prefixLength, early.prefixLength);
  assertEquals(members.map((m) => m.reward), [0, 1, 0, null]);
});

Deno.test("NaN and infinite rewards fail with task and attempt; null passes", async () => {
  for (const reward of [NaN, Infinity, -Infinity]) {
    const bad = stitched([diagnosed({ turns, reward: 1 }), diagnosed({ index: 1, turns, reward })]);
    for (const rule of ["success", "return"] as const) {
      const error = assertThrows(() => scoreGroup(bad, { reward: rule }), ScoreError, "toy/train/0");
      assertEquals(error.attempt, 1);
    }
    const run = Stream.make(bad).pipe(score(), Stream.runCollect, Effect.runPromise);
    await assertRejects(() => run, ScoreError, String(reward));
  }
  const none = stitched([diagnosed({ turns, reward: null }), diagnosed({ index: 1, turns, reward: 1 })]);
  assertEquals(scoreGroup(none).members.map((m) => m.reward), [null, 1]);
});

Deno.test("ids, mask and log-probabilities of unequal length fail with their lengths", () => {
  const base = diagnosed({ turns, reward: 1 });
  const bad = stitched([{ ...base, mask: base.mask.slice(1) }]);
  assertThrows(() => scoreGroup(bad), ScoreError, `${base.ids.length} ids, ${base.ids.length - 1} mask`);
});

Deno.test("a retry without its base attempt fails", () => {
  const group = example();
  assertThrows(() => scoreGroup({ ...group, attempts: group.attempts.slice(1) }), ScoreError, "no base");
});

Deno.test("a verified correction gives its reflection and its guided retry, new tokens only", () => {
  const group = example();
  const { auxiliary } = scoreGroup(group);
  assertEquals(auxiliary.map((a) => [a.task, a.attempt]), [["reflect", 0], ["retry", 0]]);
  assertEquals(auxiliary[0].ids, group.attempts[0].diagnosis.tokens.ids);
  assertEquals(auxiliary[0].mask, [0, 0, 0, 1, 1]);
  const { guided, prefixLength } = group.retries[0];
  assertEquals(auxiliary[1].ids, guided.ids);
  assert(auxiliary[1].mask.every((m, t) => m === 0 || t >= prefixLength));
  assertEquals(auxiliary[1].mask.filter((m) => m === 1).length, 3);
});

Deno.test("the guided retry trains nothing of the prefix even if its mask marks it", () => {
  const group = example();
  const guided = { ...group.retries[0].guided, mask: group.retries[0].guided.ids.map(() => 1 as const) };
  const { auxiliary } = scoreGroup({ ...group, retries: [{ ...group.retries[0], guided }] });
  assertEquals(auxiliary[1].mask.indexOf(1), group.retries[0].prefixLength);
});

/** The tasks of the auxiliary rows of one base (reward, turns) and one retry. */
function tasksOf(
  before: number | null,
  after: number | null,
  suffix: readonly (readonly [string, number])[],
  options: Parameters<typeof scoreGroup>[1] = {},
): string[] {
  const base = diagnosed({ turns, reward: before }, { report: report(1) });
  const group = stitched([base], [retry(base, 1, suffix, after)]);
  return scoreGroup(group, { reward: "return", ...options }).auxiliary.map((a) => a.task);
}

Deno.test("verify: the paper asks for R' > R, the released rule for success as well", () => {
  const other = [["open", 1], ["put", 1]] as const;
  const both = ["reflect", "retry"];
  assertEquals(tasksOf(0.2, 0.6, other), both);
  assertEquals(tasksOf(0.2, 0.2, other), []);
  assertEquals(tasksOf(1, 0, other), []);
  assertEquals(tasksOf(0, null, other), []);
  assertEquals(tasksOf(null, 1, other), []);
  assertEquals(tasksOf(0.2, 0.6, other, { verify: "released" }), []);
  assertEquals(tasksOf(0.2, 1, other, { verify: "released" }), both);
  assertEquals(tasksOf(1, 1, other.slice(0, 1), { verify: "released" }), both);
  assertEquals(tasksOf(1, 1, other, { verify: "released" }), []);
});

Deno.test("an earlier pivot alone does not verify a reflection: the first action must differ", () => {
  assertEquals(tasksOf(0, 1, [["take", 1], ["open", 1]]), ["retry"]);
  assertEquals(tasksOf(0, 1, [["take", 1]], { reflectRequiresChange: false }), ["reflect", "retry"]);
  assertEquals(tasksOf(0, 1, [["open", 1]]), ["reflect", "retry"]);
});

Deno.test("one reflection a base, however many of its retries improve", () => {
  const base = diagnosed({ turns, reward: 0 }, { report: report(1) });
  const retries = [retry(base, 1, [["open", 2]], 1), retry(base, 1, [["look", 2]], 1, 1)];
  const { auxiliary } = scoreGroup(stitched([base], retries));
  assertEquals(auxiliary.map((a) => a.task), ["reflect", "retry", "retry"]);
});

Deno.test("auxiliarySuccess adds the reflection of a right success verdict only", () => {
  const group = example();
  assertEquals(scoreGroup(group, { auxiliarySuccess: true }).auxiliary.map((a) => a.attempt), [0, 1, 0]);
  const falseClaim = stitched([diagnosed({ turns, reward: 0 }, { report: report(null) })]);
  assertEquals(scoreGroup(falseClaim, { auxiliarySuccess: true }).auxiliary, []);
});

Deno.test("scoring does not depend on the order of attempts or retries", () => {
  const bases: DiagnosedAttempt[] = [0, 1, 2].map((index) =>
    diagnosed({ index, turns, reward: index === 2 ? 1 : 0 }, { report: report(index === 2 ? null : 1) })
  );
  const retries: Retry[] = [
    retry(bases[0], 1, [["open", 2]], 1),
    retry(bases[1], 2, [["look", 1]], 0),
    retry(bases[1], 1, [["open", 1]], 1, 1),
  ];
  const shape = (group: Stitched) =>
    scoreGroup(group).members.map((m) => JSON.stringify(m)).sort().concat(
      scoreGroup(group).auxiliary.map((a) => JSON.stringify(a)).sort(),
    );
  const expected = shape(stitched(bases, retries));
  fc.assert(
    fc.property(
      fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
      fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
      (a, b) => assertEquals(shape(stitched(a.map((i) => bases[i]), b.map((i) => retries[i]))), expected),
    ),
  );
});

Deno.test("the overlong penalty counts sampled tokens, of base and retry alike", () => {
  const overlong = { limit: 8, cache: 4 };
  const { members } = scoreGroup(example(), { overlong });
  const sampled = members.map((m) => m.mask.filter((x) => x === 1).length);
  assertEquals(sampled, [7, 5, 5]);
  assertEquals(members.map((m) => m.reward), [-0.75, 0.75, 0.75]);
});

Deno.test("members `reflections`: the retry's reward goes to the reflection on the failed attempt", () => {
  const asked = (index: number, reward: number | null, pivot: number | null) =>
    diagnosed({ index, turns, reward }, { report: report(pivot) });
  const attempts = [
    asked(0, 0, 1),
    asked(1, 0, 1),
    asked(2, 1, null),
    asked(3, 0, null),
    diagnosed({ index: 4, turns, reward: 0 }, { invalid: "no_json" }),
    diagnosed({ index: 5, turns, reward: 0 }, { invalid: "not_asked" }),
    asked(6, null, 1),
    asked(7, 0, 1),
  ];
  const retries = [
    retry(attempts[0], 1, [["open", 2]], 1),
    retry(attempts[0], 1, [["open", 2]], 0, 1),
    retry(attempts[1], 1, [["open", 2]], 0),
    retry(attempts[7], 1, [["open", 2]], null),
  ];
  const group = maskGroup(scoreGroup(stitched(attempts, retries), { members: "reflections" }));
  assertEquals(group.members.map((m) => [m.attempt, m.reward]), [[0, 0.5], [1, 0], [3, 0], [4, 0], [
    7,
    null,
  ]]);
  assert(group.members.every((m) => m.kind === "reflection"));
  assertEquals(group.trainMasks[0], [0, 0, 0, 1, 1]);
  assertEquals(group.trainMasks[4], [0, 0, 0, 0, 0]);
  assertEquals(group.auxiliary, []);
});

Deno.test("the overlong penalty agrees with the golden numbers", () => {
  for (const { n, limit, cache, out } of cases["dapo overlong penalty"]) {
    assertAlmostEquals(overlongPenalty(n, { limit, cache }), out, 1e-12);
  }
});
