import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { type KernelName, kernels, reflectiveRollouts } from "../../../stages/sample/kernels.ts";

/** Steps at which K of N = 8 takes the values 4, 3, 2, 1, 0, and the sum of K over 500 steps. */
const published: Partial<Record<KernelName, readonly [steps: readonly number[], sum: number]>> = {
  cosine: [[0, 111, 162, 207, 274], 754],
  plateau_linear: [[0, 85, 155, 224, 294], 758],
  step: [[0, 300], 1200],
  exponential: [[0, 58, 77, 109, 219], 463],
  inverse_sigmoid: [[0, 131, 167, 196, 259], 753],
};

for (const [name, [steps, sum]] of Object.entries(published)) {
  Deno.test(`${name} switches when it should and spends what it should`, () => {
    const counts = Array.from(
      { length: 500 },
      (_, t) => reflectiveRollouts(8, kernels[name as KernelName](t)),
    );
    assertEquals(counts.flatMap((k, t) => (k === counts[t - 1] ? [] : [t])), steps);
    assertEquals(counts.reduce((a, b) => a + b, 0), sum);
  });
}

Deno.test("smooth kernels hold the high share through the warm-up, end at the low one and never rise", () => {
  for (const name of ["cosine", "plateau_linear", "exponential", "inverse_sigmoid"] as const) {
    assertAlmostEquals(kernels[name](50), 0.5, 1e-12, name);
    assertAlmostEquals(kernels[name](300), 0.05, 1e-12, name);
    assertEquals(kernels[name](0), kernels[name](50), name);
    assertAlmostEquals(kernels[name](1000, { low: 0 }), 0, 1e-12);
    for (let t = 1; t < 320; t++) assert(kernels[name](t) <= kernels[name](t - 1), `${name} ${t}`);
  }
});

Deno.test("halves are rounded up", () => {
  assertEquals([5, 7].map((n) => reflectiveRollouts(n, 0.5)), [3, 4]);
});
