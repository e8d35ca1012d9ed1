import { assertAlmostEquals, assertEquals } from "@std/assert";

/** Deep equality of JSON, numbers to 12 digits (another machine's exp may differ in the last bit). */
export function assertJson(actual: unknown, expected: unknown, path = "$"): void {
  if (typeof actual === "number" && typeof expected === "number") {
    assertAlmostEquals(
      actual,
      expected,
      1e-12 * Math.max(1, Math.abs(expected)),
      `${path}: ${actual}, ${expected}`,
    );
  } else if (isObject(actual) && isObject(expected)) {
    assertEquals(Object.keys(actual).sort(), Object.keys(expected).sort(), path);
    for (const key of Object.keys(expected)) assertJson(actual[key], expected[key], `${path}.${key}`);
  } else {
    assertEquals(actual, expected, path);
  }
}

/** What a stage added: `after` without the fields of `before` that it kept as they were. */
export function added(before: object, after: object): Record<string, unknown> {
  const kept = new Map(Object.entries(before));
  return Object.fromEntries(Object.entries(after).filter(([key, value]) => kept.get(key) !== value));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
