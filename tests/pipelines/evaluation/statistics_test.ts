import { assertAlmostEquals, assertEquals } from "@std/assert";
import fc from "fast-check";
import { bestAtK } from "../../../pipelines/evaluation/statistics/best_at_k.ts";
import { majorityAtK } from "../../../pipelines/evaluation/statistics/majority_at_k.ts";
import { passAtK } from "../../../pipelines/evaluation/statistics/pass_at_k.ts";
import { tokenStatistics } from "../../../pipelines/evaluation/statistics/token_statistics.ts";
import { wilsonInterval } from "../../../pipelines/evaluation/statistics/wilson_interval.ts";

/** Every choice of `k` of the items. */
function choices<T>(items: readonly T[], k: number): readonly (readonly T[])[] {
  if (k === 0) return [[]];
  return items.flatMap((item, i) => choices(items.slice(i + 1), k - 1).map((rest) => [item, ...rest]));
}

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;

Deno.test("pass@k and best@k are the means over every choice of k attempts", () => {
  const scores = fc.array(fc.integer({ min: 0, max: 4 }).map((n) => n / 4), { minLength: 1, maxLength: 7 });
  fc.assert(fc.property(scores, fc.integer({ min: 1, max: 7 }), (scores, k) => {
    if (k > scores.length) {
      assertEquals([passAtK(scores.length, 0, k), bestAtK(scores, k)], [NaN, NaN]);
      return;
    }
    const drawn = choices(scores, k);
    assertAlmostEquals(bestAtK(scores, k), mean(drawn.map((d) => Math.max(...d))), 1e-12);
    const right = scores.filter((s) => s === 1).length;
    const passed = mean(drawn.map((d) => Number(d.includes(1))));
    assertAlmostEquals(passAtK(scores.length, right, k), passed, 1e-12);
    assertAlmostEquals(bestAtK(scores.map((s) => Number(s === 1)), k), passed, 1e-12);
  }));
});

Deno.test("pass@k of many attempts: 1 - C(190, 100) / C(200, 100), and no overflow", () => {
  // 1 - prod_{i=0}^{9} (100 - i) / (200 - i), from the other form of the quotient.
  let none = 1;
  for (let i = 0; i < 10; i++) none *= (100 - i) / (200 - i);
  assertAlmostEquals(passAtK(200, 10, 100), 1 - none, 1e-12);
  assertAlmostEquals(passAtK(10_000, 1, 5_000), 0.5, 1e-9);
});

const votes = (text: string, gold: string) =>
  [...text].map((c) => ({ answer: c === "-" ? null : c, right: c === gold }));

Deno.test("the majority votes by answer; missing answers have no vote, ties count in part", () => {
  const cases = [
    ["aab", "a", 3, 1],
    ["aab", "b", 3, 0],
    ["ab", "a", 2, 0.5],
    ["abc", "a", 3, 1 / 3],
    ["a--", "a", 3, 1],
    ["---", "a", 3, 0],
    ["aabb", "a", 2, 0.5],
    ["abab", "a", 1, 0.5],
    ["aabbc", "a", 2, 0.5],
  ] as const;
  for (const [text, gold, k, expected] of cases) {
    assertAlmostEquals(majorityAtK(votes(text, gold), k), expected, 1e-12, `${text} ${gold} ${k}`);
  }
  assertEquals(majorityAtK([], 1), NaN);
});

Deno.test("the majority of all attempts does not depend on their order; of one it is avg@n", () => {
  const texts = fc.array(fc.constantFrom("a", "b", "c", "-"), { minLength: 1, maxLength: 9 });
  fc.assert(fc.property(texts, fc.nat(), (letters, turn) => {
    const n = letters.length;
    const rotated = [...letters.slice(turn % n), ...letters.slice(0, turn % n)].reverse();
    const all = (order: readonly string[]) => majorityAtK(votes(order.join(""), "a"), n);
    assertAlmostEquals(all(rotated), all(letters), 1e-12);
    const right = letters.filter((c) => c === "a").length / n;
    assertAlmostEquals(majorityAtK(votes(letters.join(""), "a"), 1), right, 1e-12);
  }));
});

Deno.test("Wilson intervals: the roots of (1 + z²/n)x² - (2p + z²/n)x + p² = 0, by numpy", () => {
  for (
    const [won, n, low, high] of [
      [8, 10, 0.4901624715366418, 0.9433178485456248],
      [0, 20, 0, 0.16112515805281938],
      [20, 20, 0.8388748419471799, 1],
      [70, 200, 0.28728824127358066, 0.4183653566395993],
    ]
  ) {
    const [a, b] = wilsonInterval(won, n);
    assertAlmostEquals(a, low, 1e-9);
    assertAlmostEquals(b, high, 1e-9);
  }
  assertEquals(wilsonInterval(0, 0), [0, 1]);
});

Deno.test("lengths and repetition of texts", () => {
  const straight = [1, 2, 3, 4, 5, 6];
  const loop = [1, 1, 1, 1, 1, 1, 1, 1];
  const found = tokenStatistics([straight, loop, [9], [7, 8, 9]]);
  assertEquals([found.count, found.mean, found.median, found.p95], [4, 4.5, 4.5, 8]);
  assertAlmostEquals(found.distinct4, (1 + 1 / 5) / 2, 1e-12);
  assertEquals(tokenStatistics([]).mean, NaN);
  const many = Array.from({ length: 100 }, (_, i) => Array<number>(i + 1).fill(0));
  assertEquals([tokenStatistics(many).median, tokenStatistics(many).p95], [50.5, 95]);
});
