import json from "../../fixtures/cases/algorithms.json" with { type: "json" };
import { assertAlmostEquals, assertEquals } from "@std/assert";

/** Golden numbers, computed independently in float64 (fixtures/cases/SOURCES.md). */
// deno-lint-ignore no-explicit-any
export const cases: Record<string, any> = json;

/** Cases with 10 significant digits; |x| < 1e-12 was written as 0. */
export function assertNumbers(actual: readonly number[], expected: readonly number[], message?: string) {
  assertEquals(actual.length, expected.length, message);
  actual.forEach((a, i) =>
    assertAlmostEquals(
      a,
      expected[i],
      1e-7 * Math.max(1, Math.abs(expected[i])),
      `${message}[${i}]: ${a} is not ${expected[i]}`,
    )
  );
}
