import { assert, assertAlmostEquals } from "@std/assert";
import { evaluateLoss } from "../../../stages/update/evaluate_loss.ts";
import { kl, type KlEstimator } from "../../../stages/update/kl.ts";
import { losses } from "../../../stages/update/losses.ts";

// A state with three next tokens: what a step on sampled tokens does to the logits, in
// expectation over the student's own samples, with no gradient through the sampling.
const student = [0.3, -0.8, 1.1];
const teacher = logSoftmax([-0.4, 0.9, 0.2]);

function logSoftmax(logits: readonly number[]): number[] {
  const norm = Math.log(logits.reduce((sum, z) => sum + Math.exp(z), 0));
  return logits.map((z) => z - norm);
}

/** KL(P‖Q) = Σ p·(log p − log q). */
function divergence(p: readonly number[], q: readonly number[]): number {
  return p.reduce((sum, lp, v) => sum + Math.exp(lp) * (lp - q[v]), 0);
}

/** Central differences of `f` by the student's logits. */
function differences(f: (logits: readonly number[]) => number): number[] {
  const h = 1e-5;
  return student.map((_, j) => {
    const at = (by: number) => f(student.map((z, v) => v === j ? z + by : z));
    return (at(h) - at(-h)) / (2 * h);
  });
}

/** Σ_y π(y)·weight(y)·∇log π(y), with ∂log π(y)/∂z_j = [y = j] − π(j). */
function expected(weight: (y: number) => number): number[] {
  const logp = logSoftmax(student);
  return student.map((_, j) =>
    logp.reduce((sum, lp, y) => sum + Math.exp(lp) * weight(y) * (Number(y === j) - Math.exp(logp[j])), 0)
  );
}

const direct = (name: KlEstimator) => expected((y) => kl(name, logSoftmax(student)[y], teacher[y])[1]);
const reverse = differences((z) => divergence(logSoftmax(z), teacher));
const forward = differences((z) => divergence(teacher, logSoftmax(z)));

function assertClose(actual: readonly number[], wanted: readonly number[]): void {
  actual.forEach((a, j) => assertAlmostEquals(a, wanted[j], 1e-9, `logit ${j}: ${a}, ${wanted[j]}`));
}

Deno.test("the two directions of the divergence pull the logits differently", () => {
  assert(reverse.some((g, j) => Math.abs(g - forward[j]) > 0.05));
});

Deno.test("k1 back-propagated directly teaches nothing", () => assertClose(direct("k1"), [0, 0, 0]));

Deno.test("k2 back-propagated directly has the gradient of the reverse divergence KL(S‖T)", () =>
  assertClose(direct("k2"), reverse));

Deno.test("k3 back-propagated directly has the gradient of the forward divergence KL(T‖S)", () =>
  assertClose(direct("k3"), forward));

Deno.test("−k1 as advantage of the policy gradient has the gradient of KL(S‖T)", () => {
  const logp = logSoftmax(student);
  const { dLogp } = evaluateLoss(losses.policy_gradient(), {
    logp: [logp],
    oldLogp: [logp],
    mask: [[1, 1, 1]],
    advantages: [logp.map((lp, y) => -kl("k1", lp, teacher[y])[0])],
  }, [1]);
  assertClose(expected((y) => dLogp[0][y]), reverse);
});

Deno.test("k1, k2 and k3 estimate the reverse divergence: k1 and k3 exactly in expectation", () => {
  const logp = logSoftmax(student);
  const mean = (name: KlEstimator) =>
    logp.reduce((sum, lp, y) => sum + Math.exp(lp) * kl(name, lp, teacher[y])[0], 0);
  for (const name of ["k1", "k3"] as const) {
    assertAlmostEquals(mean(name), divergence(logp, teacher), 1e-12, name);
  }
  assert(Math.abs(mean("k2") - divergence(logp, teacher)) > 1e-3);
});
