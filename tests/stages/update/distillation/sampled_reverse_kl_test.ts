import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import {
  LEAST_LOGPROB,
  sampledReverseKl,
  type SampledRows,
} from "../../../../stages/update/distillation/sampled_reverse_kl.ts";

const rows: SampledRows = {
  logp: [[-0.4, -0.7, -1.2, -0.3]],
  oldLogp: [[-0.3, -0.62, -1.0, -0.9]],
  teacherLogp: [[-0.9, -0.2, -2.0, -0.35]],
  mask: [[1, 1, 0, 1]],
};

/** By automatic differentiation in PyTorch 2, float64. */
const golden = [
  ["k1", 0, [0.542902450822, -0.387708865482, 0, -1.002165340215]],
  ["k1", 0.5, [0.228471448054, -0.641565860739, 0, -1.002165340215]],
  ["k1", 1, [-0.334789844673, -0.895422855995, 0, -1.002165340215]],
  ["k2", 0, [0.125, 0.125, 0, 0.00125], [0.5, -0.5, 0, 0.05]],
  ["k3", 0, [0.106530659713, 0.1487212707, 0, 0.001229424501], [
    0.393469340287,
    -0.6487212707,
    0,
    0.048770575499,
  ]],
] as const;

for (const [estimator, discount, loss, dLogp = loss] of golden) {
  Deno.test(`${estimator} with discount ${discount} has the values and derivatives of autograd`, () => {
    const found = sampledReverseKl(rows, { estimator, discount });
    loss.forEach((value, t) => assertAlmostEquals(found.loss[0][t], value, 1e-11));
    dLogp.forEach((value, t) => assertAlmostEquals(found.dLogp[0][t], value, 1e-11));
  });
}

Deno.test("masked tokens neither matter nor get gradient", () => {
  const poison = (values: SampledRows["logp"]) =>
    values.map((row) => Array.from(row, (v, t) => t === 2 ? NaN : v));
  for (const estimator of ["k1", "k2", "k3"] as const) {
    const options = { estimator, discount: estimator === "k1" ? 0.7 : 0 };
    const poisoned = {
      logp: poison(rows.logp),
      oldLogp: poison(rows.oldLogp),
      teacherLogp: poison(rows.teacherLogp),
      mask: rows.mask,
    };
    assertEquals(sampledReverseKl(poisoned, options), sampledReverseKl(rows, options));
  }
});

/** log-softmax. */
function logSoftmax(z: readonly number[]): number[] {
  const norm = Math.log(z.reduce((sum, v) => sum + Math.exp(v), 0));
  return z.map((v) => v - norm);
}

const teacher = logSoftmax([0.2, -1.1, 0.9]);
const logits = [0.5, 0.3, -0.8];

/** Σ_y π(y)·∂L(y)·∇log π(y) over the three tokens: the expected gradient by the logits, on-policy. */
function expectedGradient(estimator: "k1" | "k2" | "k3"): number[] {
  const logp = logSoftmax(logits);
  return logits.map((_, v) =>
    logp.reduce((sum, lp, y) => {
      const one = { logp: [[lp]], oldLogp: [[lp]], teacherLogp: [[teacher[y]]], mask: [[1]] };
      const score = Number(y === v) - Math.exp(logp[v]);
      return sum + Math.exp(lp) * sampledReverseKl(one, { estimator }).dLogp[0][0] * score;
    }, 0)
  );
}

const reverse = (z: readonly number[]) =>
  logSoftmax(z).reduce((sum, lp, y) => sum + Math.exp(lp) * (lp - teacher[y]), 0);
const forward = (z: readonly number[]) =>
  logSoftmax(z).reduce((sum, lp, y) => sum + Math.exp(teacher[y]) * (teacher[y] - lp), 0);

Deno.test("k1 and k2 descend the reverse KL in expectation, k3 the forward one", () => {
  for (const [estimator, kl] of [["k1", reverse], ["k2", reverse], ["k3", forward]] as const) {
    expectedGradient(estimator).forEach((found, v) => {
      const moved = (by: number) => kl(logits.map((z, i) => i === v ? z + by : z));
      assertAlmostEquals(found, (moved(1e-5) - moved(-1e-5)) / 2e-5, 1e-9, estimator);
    });
  }
});

Deno.test("a teacher that rules a token out is believed up to a bound, and counted", () => {
  const ruledOut = { ...rows, teacherLogp: [[-Infinity, -0.2, -Infinity, -0.35]] };
  for (const estimator of ["k1", "k2", "k3"] as const) {
    const { loss, dLogp, raised } = sampledReverseKl(ruledOut, { estimator });
    assertEquals(raised, 1);
    assert([...loss[0], ...dLogp[0]].every(Number.isFinite));
  }
  assertEquals(sampledReverseKl(ruledOut, { estimator: "k2" }).dLogp[0][0], -0.4 - LEAST_LOGPROB);
});
