/**
 * The few functions of JSR's `@std/assert` that the tests use, over Node's
 * `assert`. `deno.json` maps the bare name here; mapping it to
 * `jsr:@std/assert` instead changes nothing.
 *
 * @module
 */
import nodeAssert from "node:assert";

/** Fails unless `value` is truthy. */
export function assert(value: unknown, message?: string): asserts value {
  nodeAssert.ok(value, message);
}

/** Fails unless both are deeply and strictly equal. */
export function assertEquals<T>(actual: T, expected: T, message?: string): void {
  nodeAssert.deepStrictEqual(actual, expected, message);
}

/** Fails if both are deeply and strictly equal. */
export function assertNotEquals<T>(actual: T, expected: T, message?: string): void {
  nodeAssert.notDeepStrictEqual(actual, expected, message);
}

/** Fails unless `|actual - expected| <= tolerance` (default 1e-7 relative to `expected`). */
export function assertAlmostEquals(
  actual: number,
  expected: number,
  tolerance?: number,
  message?: string,
): void {
  const bound = tolerance ?? Math.max(Math.abs(expected) * 1e-7, 1e-12);
  if (Object.is(actual, expected) || Math.abs(actual - expected) <= bound) return;
  nodeAssert.fail(
    message ?? `expected ${actual} to be within ${bound} of ${expected}`,
  );
}

/** Fails unless `text` contains `part`. */
export function assertStringIncludes(text: string, part: string, message?: string): void {
  nodeAssert.ok(
    text.includes(part),
    message ?? `expected ${JSON.stringify(text)} to contain ${JSON.stringify(part)}`,
  );
}

/** Fails unless `text` matches `pattern`. */
export function assertMatch(text: string, pattern: RegExp, message?: string): void {
  nodeAssert.match(text, pattern, message);
}

/** Fails unless `run` throws an instance of `type` whose message contains `part`; returns the error. */
// deno-lint-ignore no-explicit-any
export function assertThrows<E extends Error = Error>(
  run: () => unknown,
  type?: new (...args: any[]) => E,
  part = "",
): E {
  try {
    run();
  } catch (error) {
    if (type !== undefined) nodeAssert.ok(error instanceof type, `expected ${type.name}, got ${error}`);
    assertStringIncludes((error as Error).message, part);
    return error as E;
  }
  nodeAssert.fail("expected the function to throw");
}

/** Fails unless `run` rejects with an instance of `type` whose message contains `part`; returns the error. */
export async function assertRejects<E extends Error = Error>(
  run: () => Promise<unknown>,
  // deno-lint-ignore no-explicit-any
  type?: new (...args: any[]) => E,
  part = "",
): Promise<E> {
  try {
    await run();
  } catch (error) {
    if (type !== undefined) nodeAssert.ok(error instanceof type, `expected ${type.name}, got ${error}`);
    assertStringIncludes((error as Error).message, part);
    return error as E;
  }
  nodeAssert.fail("expected the promise to reject");
}
