import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { metricNames } from "../../../stages/metrics/metric_names.ts";
import { type Aggregation, aggregationWeights } from "../../../stages/update/aggregation_weights.ts";
import { evaluateLoss } from "../../../stages/update/evaluate_loss.ts";
import { kl, type KlEstimator } from "../../../stages/update/kl.ts";
import type { LossOptions, LossRows } from "../../../stages/update/loss.ts";
import { losses, type LossName } from "../../../stages/update/losses.ts";
import { bapoBounds } from "../../../stages/update/losses/bapo_bounds.ts";
import { bapoSearches } from "../../../stages/update/losses/bapo_searches.ts";
import { dpoPairs } from "../../../stages/update/losses/dpo_pairs.ts";
import { sequenceRatio } from "../../../stages/update/losses/sequence_ratio.ts";
import { objective } from "../../../stages/update/objective.ts";
import type { TrainBatch } from "../../../stages/update/train_batch.ts";
import { trainBatch } from "../../../stages/update/train_batch.ts";
import { cases } from "../_cases.ts";
import { rowsGroup } from "../_make_group.ts";
import { sharedRows } from "./_inputs.ts";

interface Case {
  key: string;
  loss: LossName;
  options?: LossOptions;
  aggregation?: Aggregation;
  norm?: number;
  offPolicy?: boolean[];
}

const table: Case[] = [
  { key: "ppo 0.2/0.2 token-mean", loss: "ppo" },
  { key: "ppo seq-mean-token-mean", loss: "ppo", aggregation: "seq-mean-token-mean" },
  { key: "ppo seq-mean-token-sum (Dr.GRPO style)", loss: "ppo", aggregation: "seq-mean-token-sum" },
  {
    key: "ppo seq-mean-token-sum-norm (norm=4 width)",
    loss: "ppo",
    aggregation: "seq-mean-token-sum-norm",
    norm: 4,
  },
  { key: "dapo clip-higher 0.2/0.28 token-mean", loss: "ppo", options: { clipHigh: 0.28 } },
  { key: "ngrpo clip 0.16/0.24 token-mean", loss: "ppo", options: { clipLow: 0.16, clipHigh: 0.24 } },
  { key: "gspo 3e-4/4e-4 seq-mean-token-mean", loss: "gspo" },
  { key: "opmd tau=1 token-mean", loss: "opmd" },
  { key: "opmd tau=0 (no halving)", loss: "opmd", options: { tau: 0 } },
  { key: "opmd tau=1 seq-mean-token-mean", loss: "opmd", aggregation: "seq-mean-token-mean" },
  { key: "cispo low 1.0 high 0.28", loss: "cispo" },
  { key: "topr thr 0", loss: "topr" },
  { key: "sppo eps 0.3", loss: "sppo" },
  {
    key: "critique_grpo clip 0.2 gamma 0.1 (row 0 off-policy)",
    loss: "critique_grpo",
    offPolicy: [true, false],
  },
  { key: "critique_grpo all on-policy (must equal ppo)", loss: "critique_grpo" },
  { key: "critique_grpo all off-policy", loss: "critique_grpo", offPolicy: [true, true] },
  { key: "bapo paper search (rho0 .4, low .6-.9, high 1.2-3, d_high .05, d_low .02)", loss: "bapo" },
  {
    key: "bapo open-source recipe (target 1, low .6-.8, high 1.2-2, step .05, dual clip 3)",
    loss: "bapo",
    options: { search: "released" },
  },
];

for (const { key, loss, options, aggregation, norm, offPolicy } of table) {
  Deno.test(`loss ${key} agrees with the golden numbers`, () => {
    for (const [name, expected] of Object.entries(cases[key])) {
      const rows = name === "x" ? upperBoundRows() : sharedRows(name, offPolicy);
      const made = losses[loss](options);
      const weights = aggregationWeights(
        rows.mask,
        aggregation ?? made.aggregation,
        norm === undefined ? {} : { norm },
      );
      const actual = evaluateLoss(made, rows, weights);
      const golden = typeof expected === "number" ? { loss: expected } : expected as Record<string, number>;
      assertAlmostEquals(actual.value, golden.loss, 1e-8, `${name}: ${actual.value} is not ${golden.loss}`);
      if (golden.clipfrac !== undefined) {
        assertAlmostEquals(actual.metrics[metricNames.clipFraction], golden.clipfrac, 1e-8, name);
      }
      if (golden.ppo_kl !== undefined) {
        assertAlmostEquals(actual.metrics[metricNames.ppoKl], golden.ppo_kl, 1e-8, name);
      }
    }
  });
}

Deno.test("gspo's sequence ratios agree with the golden numbers", () => {
  const rows = sharedRows("A1");
  cases["gspo 3e-4/4e-4 seq-mean-token-mean"].A1.seq_ratio.forEach((expected: number, i: number) =>
    assertAlmostEquals(sequenceRatio(rows, i), expected, 1e-8)
  );
});

function upperBoundRows(): LossRows {
  const c = cases["bapo paper search, upper bound moves"];
  return {
    logp: c.logp,
    oldLogp: c.old,
    mask: c.mask,
    advantages: c.adv.map((row: number[]) => row[0]),
  };
}

Deno.test("bapo's bounds agree with the golden numbers", () => {
  const paper = cases["bapo paper search (rho0 .4, low .6-.9, high 1.2-3, d_high .05, d_low .02)"];
  for (const name of Object.keys(paper)) {
    const bounds = bapoBounds(sharedRows(name), bapoSearches.paper);
    assertAlmostEquals(bounds.low, paper[name].c_low, 1e-9);
    assertAlmostEquals(bounds.high, paper[name].c_high, 1e-9);
    assertAlmostEquals(bounds.balance, paper[name].rho, 1e-8);
    assertEquals(bounds.iterations, paper[name].iterations);
  }
  const upper = cases["bapo paper search, upper bound moves"];
  const moved = bapoBounds(upperBoundRows(), { ...bapoSearches.paper, target: 0.5 });
  assertAlmostEquals(moved.high, upper.c_high, 1e-9);
  assertAlmostEquals(moved.balance, upper.rho, 1e-8);
  assertEquals(moved.iterations, upper.iterations);
  assertAlmostEquals(evaluateLoss(losses.bapo({ target: 0.5 }), upperBoundRows()).value, upper.loss, 1e-9);

  const open = cases["bapo open-source recipe (target 1, low .6-.8, high 1.2-2, step .05, dual clip 3)"];
  for (const name of Object.keys(open)) {
    const bounds = bapoBounds(name === "x" ? upperBoundRows() : sharedRows(name), bapoSearches.released);
    assertAlmostEquals(bounds.low, open[name].c_low, 1e-9);
    assertAlmostEquals(bounds.high, open[name].c_high, 1e-9);
    if (open[name].pos_over_neg === "inf") assertEquals(bounds.balance, Infinity);
    else assertAlmostEquals(bounds.balance, open[name].pos_over_neg, 2e-8);
  }
});

Deno.test("sft agrees with the golden numbers, also with everything masked", () => {
  const rows = sharedRows("A1");
  for (const mode of ["token-mean", "seq-mean-token-mean"] as const) {
    const value = evaluateLoss(losses.sft(), rows, aggregationWeights(rows.mask, mode)).value;
    assertAlmostEquals(value, cases.sft[mode], 1e-8);
  }
  const masked = { ...rows, mask: rows.mask.map((m) => Array.from(m, () => 0)) };
  assertEquals(evaluateLoss(losses.sft(), masked).value, cases.sft["all masked"]);
});

Deno.test("dpo agrees with the golden numbers", () => {
  for (const c of cases["dpo beta .1"]) {
    const pairs = c.in.map(([chosen, rejected, refChosen, refRejected]: number[]) => ({
      chosen,
      rejected,
      refChosen,
      refRejected,
    }));
    assertAlmostEquals(dpoPairs(pairs, 0.1, c.smooth).value, c.out, 1e-9);
  }
});

Deno.test("KL estimators agree with the golden numbers", () => {
  const { logp, ref, mask } = cases.inputs;
  for (const name of ["k1", "k2", "k3", "abs"] as KlEstimator[]) {
    const single = cases["kl single token (logp -0.7, ref -0.2)"][name];
    assertAlmostEquals(kl(name, -0.7, -0.2)[0], single, 1e-9);
    let mean = 0;
    mask.forEach((row: number[], i: number) =>
      row.forEach((m, t) => mean += m * kl(name, logp[i][t], ref[i][t])[0] / 6)
    );
    assertAlmostEquals(mean, cases["kl per token then masked token-mean"][name], 1e-9);
  }
});

Deno.test("the R³L objective, paper and released, agrees with the golden numbers", () => {
  const c = cases["r3l objective, paper vs released"];
  const group = rowsGroup({ mask: c.pivot_mask, advantages: c.A_explore, auxiliary: [2, 2] });
  const logp = [...c.explore_logp, ...c.sft_logp];
  const value = (batch: TrainBatch, options: Parameters<typeof objective>[2]) => {
    const { metrics } = objective(batch, logp, options);
    return [metrics[metricNames.policyLoss], metrics[metricNames.auxiliaryLoss] ?? 0];
  };
  const weight = { reflectWeight: 1, retryWeight: 1 } as const;

  const paper = { length: "full", auxiliary: { ...weight, normaliser: "sum" } } as const;
  const [rl, supervised] = value(trainBatch([group], paper), paper);
  assertAlmostEquals(rl, c.paper.rl, 1e-9);
  assertAlmostEquals(supervised, c.paper.sft, 1e-9);

  const unmasked = { ...paper, length: "trained" } as const;
  assertAlmostEquals(
    value(trainBatch([group], unmasked), unmasked)[0],
    c["paper, RL divided by unmasked tokens"],
    1e-9,
  );

  const released = { loss: "opmd", auxiliary: { ...weight, normaliser: "pooled" } } as const;
  const golden = c["released (one token-mean over all rows, tau 1, SFT rows A=1)"];
  assertAlmostEquals(value(trainBatch([group], released), released)[0], golden, 1e-8);
  const whole = rowsGroup({
    mask: c.pivot_mask.map((row: number[]) => row.map(() => 1)),
    advantages: c.A_explore,
    auxiliary: [2, 2],
  });
  assertAlmostEquals(
    value(trainBatch([whole], released), released)[0],
    c["released, no pivot mask"],
    1e-8,
  );
  const explore = { ...released, auxiliary: { reflectWeight: 0, retryWeight: 0 } };
  assertAlmostEquals(
    value(trainBatch([group], explore), explore)[0],
    c["released, explore rows only"],
    1e-8,
  );
});

Deno.test("normalisers over the whole batch make the split into micro-batches irrelevant", () => {
  const c = cases["micro-batch scaling (two one-row micro-batches, 4 and 1 tokens)"];
  const { logp, old } = cases.inputs;
  const rows = (keep: number[]): LossRows => ({
    logp: keep.map((i) => logp[i]),
    oldLogp: keep.map((i) => old[i]),
    mask: keep.map((i) => [[1, 1, 1, 1], [1, 0, 0, 0]][i]),
    advantages: keep.map(() => 1),
  });
  const loss = losses.opmd();
  assertAlmostEquals(evaluateLoss(loss, rows([0])).value, c.loss_mb[0], 1e-8);
  assertAlmostEquals(evaluateLoss(loss, rows([1])).value, c.loss_mb[1], 1e-8);

  const whole = rows([0, 1]);
  const weights = aggregationWeights(whole.mask, "token-mean");
  assertAlmostEquals(evaluateLoss(loss, whole, weights).value, c["exact token-mean of the batch"], 1e-9);
  const split = evaluateLoss(loss, rows([0]), [weights[0]]).value +
    evaluateLoss(loss, rows([1]), [weights[1]]).value;
  assertAlmostEquals(split, c["exact token-mean of the batch"], 1e-9);
  assert(Math.abs(split - c["released default (by sequences)"]) > 0.01);
});
