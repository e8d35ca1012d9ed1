import { assertAlmostEquals, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { costOf, meanSuccess, successAt } from "../../../pipelines/comparison/curve.ts";
import type { CurvePoint } from "../../../pipelines/comparison/run_result.ts";

const curve: readonly CurvePoint[] = [
  { step: 0, tokens: 0, seconds: 0, success: 0.2 },
  { step: 4, tokens: 100, seconds: 10, success: 0.4 },
  { step: 8, tokens: 300, seconds: 20, success: 0.3 },
  { step: 9, tokens: 500, seconds: 40, success: 0.7 },
];

Deno.test("success between evaluations is on the line that joins them", () => {
  assertAlmostEquals(successAt(curve, "tokens", 50), 0.3);
  assertAlmostEquals(successAt(curve, "tokens", 400), 0.5);
  assertAlmostEquals(successAt(curve, "seconds", 30), 0.5);
  assertEquals(successAt(curve, "tokens", 0), 0.2);
  assertEquals(successAt(curve, "tokens", 900), 0.7);
});

Deno.test("mean success is the area below the curve over the budget", () => {
  // Trapezoids 0-100, 100-300, 300-400, counted by hand: (30 + 70 + 40) / 400.
  assertAlmostEquals(meanSuccess(curve, "tokens", 400), 140 / 400);
  // Beyond the last evaluation the curve stays level.
  assertAlmostEquals(meanSuccess(curve, "tokens", 600), (30 + 70 + 100 + 70) / 600);
});

Deno.test("the cost of a level is where the curve first crosses it, within the budget", () => {
  assertAlmostEquals(costOf(curve, "tokens", 0.3)!, 50);
  assertAlmostEquals(costOf(curve, "tokens", 0.5)!, 400);
  assertAlmostEquals(costOf(curve, "seconds", 0.5)!, 30);
  assertEquals(costOf(curve, "tokens", 0.5, 399), undefined);
  assertEquals(costOf(curve, "tokens", 0.71), undefined);
  assertEquals(costOf(curve, "tokens", 0.1), 0);
});

Deno.test("what a level costs has that level", () => {
  fc.assert(fc.property(
    fc.array(fc.tuple(fc.integer({ min: 1, max: 50 }), fc.double({ min: 0, max: 1, noNaN: true })), {
      minLength: 1,
      maxLength: 8,
    }),
    fc.double({ min: 0, max: 1, noNaN: true }),
    (steps, level) => {
      let tokens = 0;
      const points = [
        { step: 0, tokens, seconds: 0, success: 0 },
        ...steps.map(([more, success], i) => {
          tokens += more;
          return { step: i + 1, tokens, seconds: 2 * tokens, success };
        }),
      ];
      const cost = costOf(points, "tokens", level);
      if (cost === undefined) return points.every(({ success }) => success < level);
      return Math.abs(successAt(points, "tokens", cost) - level) < 1e-9 &&
        points.every((point) => point.tokens >= cost - 1e-9 || point.success < level);
    },
  ));
});
