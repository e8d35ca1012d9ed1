import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { studentInterval } from "../../../pipelines/comparison/student_interval.ts";

Deno.test("intervals agree with a table of Student's t", () => {
  // Quantiles from printed tables (t at 0.975): 12.706, 4.303, 2.776, 2.262, 2.042, 2.021, 2.000, 1.980.
  const table: readonly (readonly [freedom: number, t: number])[] = [
    [1, 12.706],
    [2, 4.303],
    [4, 2.776],
    [9, 2.262],
    [30, 2.042],
    [40, 2.021],
    [60, 2.0],
    [120, 1.98],
  ];
  for (const [freedom, t] of table) {
    const n = freedom + 1;
    // Alternating 1 and -1, or one 0 more: the standard error follows by hand.
    const values = Array.from({ length: n }, (_, i) => n % 2 === 1 && i === n - 1 ? 0 : i % 2 === 0 ? 1 : -1);
    const error = Math.sqrt((n - n % 2) / freedom / n);
    assertAlmostEquals(studentInterval(values).half! / error, t, 6e-4, `${freedom} degrees of freedom`);
  }
});

Deno.test("three values by hand, one value without an interval", () => {
  const { mean, half, n } = studentInterval([0.6, 0.7, 0.8]);
  assertAlmostEquals(mean, 0.7);
  assertAlmostEquals(half!, 4.30265 * 0.1 / Math.sqrt(3), 1e-6);
  assertEquals(n, 3);
  assertEquals(studentInterval([0.4]), { mean: 0.4, half: null, n: 1 });
});

Deno.test("at 95 % the interval holds the mean of normal values about 95 times in a hundred", () => {
  // A linear congruential generator and Box-Muller, so that the numbers are the same everywhere.
  let state = 12345;
  const uniform = () => (state = (1103515245 * state + 12345) % 2 ** 31) / 2 ** 31;
  const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  let held = 0;
  for (let i = 0; i < 4000; i++) {
    const { mean, half } = studentInterval([normal(), normal(), normal()]);
    if (Math.abs(mean) <= half!) held++;
  }
  assert(Math.abs(held / 4000 - 0.95) < 0.015, `${held / 4000}`);
});
