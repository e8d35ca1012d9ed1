import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { metricNames } from "../../../stages/metrics/metric_names.ts";
import { type Aggregation, aggregationWeights } from "../../../stages/update/aggregation_weights.ts";
import { evaluateLoss } from "../../../stages/update/evaluate_loss.ts";
import { kl, type KlEstimator } from "../../../stages/update/kl.ts";
import type { LossOptions, LossRows } from "../../../stages/update/loss.ts";
import { losses, type LossName } from "../../../stages/update/losses.ts";
import { dpoPairs } from "../../../stages/update/losses/dpo_pairs.ts";
import { sequenceRatio } from "../../../stages/update/losses/sequence_ratio.ts";

/** Rows away from every clip bound's kink, with masked tokens, both signs of A and an off-policy row. */
const rows: LossRows = {
  logp: [[-0.4, -0.7, -1.2, -0.3], [-0.5, -2.0, -0.9], [-0.25, -0.61], [-1.1]],
  oldLogp: [[-0.3, -0.62, -1.0, -0.9], [-0.52, -1.5, -1.43], [-0.25, -0.66], [-1.02]],
  mask: [[1, 1, 0, 1], [1, 1, 1], [0, 1], [1]],
  advantages: [1.5, -0.5, 0.75, -1],
  offPolicy: [true, false, false, false],
  groups: [0, 0, 1, 1],
  refLogp: [[-0.5, -0.6, -1.0, -0.4], [-0.6, -1.9, -1.1], [-0.3, -0.6], [-1.4]],
};

const variants: [LossName, LossOptions][] = [
  ["policy_gradient", {}],
  ["ppo", {}],
  ["ppo", { clipLow: 0.2, clipHigh: 0.28, dualClip: 1.5 }],
  ["gspo", { clipLow: 0.2, clipHigh: 0.2 }],
  ["gspo", {}],
  ["opmd", { tau: 0.5 }],
  ["sft", {}],
  ["cispo", {}],
  ["cispo", { clipLow: 0.2, clipHigh: 0.28, maskBeyondClip: true }],
  ["critique_grpo", {}],
  ["topr", {}],
  ["sppo", {}],
  ["rec", {}],
  ["rec", { range: "ring", weight: "ratio", regulariser: "k2", regulariserCoefficient: 0.3 }],
  ["rec", { range: "two-side", weight: "advantage", regulariser: "forward-kl", regulariserCoefficient: 0.3 }],
  ["rec", { range: "none" }],
  ["bapo", {}],
  ["bapo", { search: "released" }],
  ["dpo", {}],
  ["dpo", { beta: 0.7, smoothing: 0.1 }],
];

Deno.test("the derivative, masks and needsLogprobs of every loss are tested", () => {
  assertEquals([...new Set(variants.map(([name]) => name))].sort(), Object.keys(losses).sort());
});

function moved(logp: LossRows["logp"], i: number, t: number, by: number): number[][] {
  return logp.map((row, j) => Array.from(row, (v, s) => j === i && s === t ? v + by : v));
}

for (const [name, options] of variants) {
  Deno.test(`∂${name}/∂logp agrees with central differences ${JSON.stringify(options)}`, () => {
    const loss = losses[name](options);
    // Stop-gradient factors stay at the point of expansion.
    const frozen = { ...rows, detachedLogp: rows.logp };
    const { dLogp } = evaluateLoss(loss, frozen);
    const h = 1e-5;
    rows.logp.forEach((row, i) => {
      for (let t = 0; t < row.length; t++) {
        const at = (by: number) => evaluateLoss(loss, { ...frozen, logp: moved(rows.logp, i, t, by) }).value;
        const numeric = (at(h) - at(-h)) / (2 * h);
        assertAlmostEquals(dLogp[i][t], numeric, 1e-8, `row ${i}, token ${t}: ${dLogp[i][t]}, ${numeric}`);
      }
    });
  });

  Deno.test(`${name}: masked tokens neither matter nor get gradient ${JSON.stringify(options)}`, () => {
    const loss = losses[name](options);
    const before = evaluateLoss(loss, rows);
    const poisoned = (values: LossRows["logp"]) =>
      values.map((row, i) => Array.from(row, (v, t) => rows.mask[i][t] ? v : NaN));
    const after = evaluateLoss(loss, {
      ...rows,
      logp: poisoned(rows.logp),
      oldLogp: poisoned(rows.oldLogp),
    });
    assertEquals(after, before);
    before.dLogp.forEach((row, i) => row.forEach((d, t) => assert(rows.mask[i][t] === 1 || Object.is(d, 0))));
  });

  Deno.test(`${name} says truly whether it needs log-probabilities ${JSON.stringify(options)}`, () => {
    const loss = losses[name](options);
    const other = { ...rows, logp: rows.logp.map((row, i) => Array.from(row, (v) => v - 0.31 - 0.1 * i)) };
    const same = JSON.stringify(evaluateLoss(loss, rows).dLogp.map((r) => [...r])) ===
      JSON.stringify(evaluateLoss(loss, other).dLogp.map((r) => [...r]));
    assertEquals(same, !loss.needsLogprobs);
  });
}

Deno.test("KL estimators: derivative agrees with central differences", () => {
  for (const name of ["k1", "k2", "k3", "abs"] as KlEstimator[]) {
    for (const logp of [-0.7, -2.5, -0.05]) {
      const numeric = (kl(name, logp + 1e-6, -0.2)[0] - kl(name, logp - 1e-6, -0.2)[0]) / 2e-6;
      assertAlmostEquals(kl(name, logp, -0.2)[1], numeric, 1e-8, name);
    }
  }
});

Deno.test("dpo: derivative agrees with central differences, one logit a pair", () => {
  const pairs = [
    { chosen: -10, rejected: -12, refChosen: -11, refRejected: -11 },
    { chosen: -3, rejected: -2, refChosen: -4, refRejected: -1 },
  ];
  const { dChosen, dRejected } = dpoPairs(pairs, 0.3, 0.1);
  for (const i of [0, 1]) {
    const at = (key: "chosen" | "rejected", by: number) =>
      dpoPairs(pairs.map((p, j) => j === i ? { ...p, [key]: p[key] + by } : p), 0.3, 0.1).value;
    assertAlmostEquals(dChosen[i], (at("chosen", 1e-5) - at("chosen", -1e-5)) / 2e-5, 1e-9);
    assertAlmostEquals(dRejected[i], (at("rejected", 1e-5) - at("rejected", -1e-5)) / 2e-5, 1e-9);
  }
});

const batch = fc.array(
  fc.record({
    tokens: fc.array(
      fc.record({
        logp: fc.double({ min: -4, max: 0, noNaN: true }),
        old: fc.double({ min: -4, max: 0, noNaN: true }),
        mask: fc.integer({ min: 0, max: 1 }),
      }),
      { minLength: 1, maxLength: 6 },
    ),
    advantage: fc.double({ min: -3, max: 3, noNaN: true }),
  }),
  { minLength: 2, maxLength: 5 },
).map((list): LossRows => ({
  logp: list.map((r) => r.tokens.map((t) => t.logp)),
  oldLogp: list.map((r) => r.tokens.map((t) => t.old)),
  mask: list.map((r) => r.tokens.map((t) => t.mask)),
  advantages: list.map((r) => r.advantage),
  refLogp: list.map((r) => r.tokens.map((t) => (t.logp + 2 * t.old) / 3)),
}));

/** The same rows, as pairs of a chosen and a rejected one where the loss compares such. */
function fitted(name: LossName, from: LossRows): LossRows {
  if (losses[name]().comparesRows !== true) return from;
  const pairs = Math.floor(from.mask.length / 2);
  const all = Array.from({ length: 2 * pairs }, (_, i) => i);
  return {
    ...take(from, all),
    mask: all.map((i) => Array.from(from.mask[i], (m, t) => t === 0 ? 1 : m)),
    groups: all.map((i) => i >> 1),
    advantages: all.map((i) => i % 2 === 0 ? 1 : -1),
  };
}

function take(from: LossRows, rows: readonly number[]): LossRows {
  return {
    ...(from.groups === undefined ? {} : { groups: rows.map((i) => from.groups![i]) }),
    refLogp: rows.map((i) => from.refLogp![i]),
    logp: rows.map((i) => from.logp[i]),
    oldLogp: rows.map((i) => from.oldLogp[i]),
    mask: rows.map((i) => from.mask[i]),
    advantages: rows.map((i) => from.advantages[i]),
  };
}

const modes: Aggregation[] = [
  "token-mean",
  "seq-mean-token-mean",
  "seq-mean-token-sum",
  "seq-mean-token-sum-norm",
  "token-sum",
];

Deno.test("with the step's normalisers, any split into micro-batches sums to the same loss and gradient", () => {
  fc.assert(fc.property(batch, fc.constantFrom(...modes), fc.nat(4), (some, mode, place) => {
    for (const name of Object.keys(losses) as LossName[]) {
      // Its bounds are found for the whole step, which is what `update` gives it.
      if (name === "bapo") continue;
      const whole = fitted(name, some);
      const cut = losses[name]().comparesRows === true ? place - place % 2 : place;
      const weights = aggregationWeights(whole.mask, mode);
      const all = whole.mask.map((_, i) => i);
      const parts = [all.slice(0, cut), all.slice(cut)].map((part) =>
        evaluateLoss(losses[name](), take(whole, part), part.map((i) => weights[i]))
      );
      const together = evaluateLoss(losses[name](), whole, weights);
      assertAlmostEquals(parts[0].value + parts[1].value, together.value, 1e-9);
      assertEquals([...parts[0].dLogp, ...parts[1].dLogp], together.dLogp);
    }
  }));
});

Deno.test("losses do not depend on the order of the rows", () => {
  fc.assert(fc.property(batch, (some) => {
    for (const name of Object.keys(losses) as LossName[]) {
      const whole = fitted(name, some);
      const order = whole.mask.map((_, i) => i).reverse();
      const forward = evaluateLoss(losses[name](), whole);
      const backward = evaluateLoss(losses[name](), take(whole, order));
      assertAlmostEquals(backward.value, forward.value, 1e-8 * Math.max(1, Math.abs(forward.value)));
      order.forEach((i, k) =>
        forward.dLogp[i].forEach((d, t) => assertAlmostEquals(backward.dLogp[k][t], d, 1e-9))
      );
    }
  }));
});

Deno.test("numerator and denominator use one mask: 2 of 6 tokens divide by 2", () => {
  const [weight] = aggregationWeights([[0, 1, 0, 0, 1, 0]], "token-mean");
  assertEquals(weight, 1 / 2);
  assertEquals(aggregationWeights([[0, 1, 0, 0, 1, 0]], "seq-mean-token-mean")[0], 1 / 2);
  assertEquals(aggregationWeights([[0, 1, 0, 0, 1, 0]], "seq-mean-token-mean", { length: "full" })[0], 1 / 6);
});

Deno.test("token losses [1,1,1,1] and [4,4] have token mean 2, not the mean of means 2.5", () => {
  const whole: LossRows = {
    logp: [[-1, -1, -1, -1], [-4, -4]],
    oldLogp: [[0, 0, 0, 0], [0, 0]],
    mask: [[1, 1, 1, 1], [1, 1]],
    advantages: [1, 1],
  };
  assertEquals(evaluateLoss(losses.sft(), whole).value, 2);
});

Deno.test("the sequence ratio leaves masked tokens out and takes their mean, not their sum", () => {
  const ratio = sequenceRatio({
    logp: [[0.2 - 1, -0.2 - 1, 0.3 - 1]],
    oldLogp: [[-1, -1, -1]],
    mask: [[1, 1, 0]],
    advantages: [1],
  }, 0);
  assertAlmostEquals(ratio, 1, 1e-12);
});

Deno.test("the clip fraction counts only where the clip is active", () => {
  const at = (advantage: number, ratio: number) =>
    evaluateLoss(losses.ppo(), {
      logp: [[Math.log(ratio) - 1]],
      oldLogp: [[-1]],
      mask: [[1]],
      advantages: [advantage],
    });
  assertEquals(at(-1, 1.5).metrics[metricNames.clipFraction], 0);
  assertEquals(at(1, 1.5).metrics[metricNames.clipFractionHigh], 1);
  assertEquals(at(1, 0.5).metrics[metricNames.clipFraction], 0);
  assertEquals(at(-1, 0.5).metrics[metricNames.clipFractionLow], 1);
  assertEquals(at(1, 1.5).dLogp[0][0], 0);
  assert(at(-1, 1.5).dLogp[0][0] !== 0);
});

Deno.test("rewards [1,0,0,0] on-policy with equal lengths: the loss is 0, the gradient is not", () => {
  const even: LossRows = {
    logp: [[-0.5, -0.5], [-0.5, -0.5], [-0.5, -0.5], [-0.5, -0.5]],
    oldLogp: [[-0.5, -0.5], [-0.5, -0.5], [-0.5, -0.5], [-0.5, -0.5]],
    mask: [[1, 1], [1, 1], [1, 1], [1, 1]],
    advantages: [0.75, -0.25, -0.25, -0.25],
  };
  const { value, dLogp } = evaluateLoss(losses.ppo(), even);
  assertAlmostEquals(value, 0, 1e-15);
  assertEquals([...dLogp[0]], [-0.75 / 8, -0.75 / 8]);
});

Deno.test("rows whose shapes disagree are refused", () => {
  assertThrows(() => evaluateLoss(losses.ppo(), { ...rows, advantages: [1] }), RangeError, "1 advantages");
  const short = { ...rows, oldLogp: rows.oldLogp.map((r, i) => i === 1 ? [0] : r) };
  assertThrows(() => evaluateLoss(losses.ppo(), short), RangeError, "row 1");
});

/** Value and derivative of one token with this ratio. */
function single(name: LossName, options: LossOptions, advantage: number, ratio: number): [number, number] {
  const { value, dLogp } = evaluateLoss(losses[name](options), {
    logp: [[Math.log(ratio) - 2]],
    oldLogp: [[-2]],
    mask: [[1]],
    advantages: [advantage],
  });
  return [value, dLogp[0][0]];
}

Deno.test("dual clip bounds the loss of a negative advantage, and only that", () => {
  const dual = { dualClip: 1.5 };
  assertEquals(single("ppo", dual, -1, 2.5), [1.5, 0]);
  assertAlmostEquals(single("ppo", {}, -1, 2.5)[0], 2.5, 1e-12);
  assertAlmostEquals(single("ppo", dual, -1, 1.4)[1], 1.4, 1e-12);
  assertAlmostEquals(single("ppo", dual, 1, 2.5)[0], -1.2, 1e-12);
});

Deno.test("cispo keeps gradient beyond the bound unless told to mask it", () => {
  const bounds = { clipLow: 0.2, clipHigh: 0.28 };
  assertAlmostEquals(single("cispo", bounds, 1, 2)[1], -1.28, 1e-12);
  assertEquals(single("cispo", { ...bounds, maskBeyondClip: true }, 1, 2), [0, 0]);
  assertEquals(single("cispo", { ...bounds, maskBeyondClip: true }, -1, 0.5), [0, 0]);
  assertAlmostEquals(single("cispo", { ...bounds, maskBeyondClip: true }, -1, 2)[1], 1.28, 1e-12);
});

Deno.test("sppo's range is symmetric in the logarithm: 1/1.3 to 1.3", () => {
  assertEquals([0.75, 1.31].map((r) => single("sppo", {}, 1, r)[1]), [0, 0]);
  assertEquals([0.78, 1.29].map((r) => single("sppo", {}, 1, r)[1]), [-1, -1]);
});

Deno.test("rec: which ratios train in each range", () => {
  const trains = (range: NonNullable<LossOptions["range"]>, advantage: number) =>
    [0.3, 0.7, 1, 1.5, 4].map((r) => Number(single("rec", { range }, advantage, r)[1] !== 0));
  assertEquals(trains("none", 1), [1, 1, 1, 1, 1]);
  assertEquals(trains("one-side", 1), [1, 1, 1, 0, 0]);
  assertEquals(trains("one-side", -1), [0, 0, 1, 1, 1]);
  assertEquals(trains("two-side", 1), [0, 0, 1, 0, 0]);
  assertEquals(trains("ring", 1), [1, 0, 1, 0, 0]);
  assertEquals(trains("ring", -1), [0, 0, 1, 0, 1]);
});

Deno.test("dpo needs a frozen policy and one chosen and one rejected row a group", () => {
  const { refLogp: _, ...without } = rows;
  assertThrows(() => evaluateLoss(losses.dpo(), without), RangeError, "no reference log-probabilities");
  const lone = { ...rows, groups: [0, 0, 1, 2] };
  assertThrows(
    () => evaluateLoss(losses.dpo(), lone),
    RangeError,
    "group 1 has 1 chosen and 0 rejected rows",
  );
  const unused = evaluateLoss(losses.dpo(), { ...rows, groups: [0, 0, 1, 2], advantages: [1, -1, 0, 0] });
  assertEquals([...unused.dLogp[2], ...unused.dLogp[3]], [0, 0, 0]);
});

Deno.test("dpo at the reference has loss log 2, and its step widens the margin", () => {
  const start = evaluateLoss(losses.dpo(), { ...rows, refLogp: rows.logp });
  assertAlmostEquals(start.value, Math.log(2), 1e-12);
  assertEquals(start.metrics[metricNames.preferenceAccuracy], 0);
  const ahead = rows.logp.map((row, i) => Array.from(row, (v, t) => v - start.dLogp[i][t]));
  const after = evaluateLoss(losses.dpo(), { ...rows, logp: ahead, refLogp: rows.logp });
  assert(after.value < start.value);
  assertEquals(after.metrics[metricNames.preferenceAccuracy], 1);
});
