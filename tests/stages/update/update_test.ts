import { assert, assertAlmostEquals, assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { Effect, Stream } from "effect";
import type { EngineShape } from "../../../stages/engine/engine.ts";
import { EngineError } from "../../../stages/errors.ts";
import { metricNames } from "../../../stages/metrics/metric_names.ts";
import type { Amplified } from "../../../stages/record.ts";
import { objective } from "../../../stages/update/objective.ts";
import { trainBatch } from "../../../stages/update/train_batch.ts";
import { update } from "../../../stages/update/update.ts";
import type { ObjectiveOptions, UpdateOptions } from "../../../stages/update/update_options.ts";
import { attempt, diagnosed, rowsGroup } from "../_make_group.ts";
import { BigramEngine } from "./_bigram_engine.ts";

const adamw = { beta1: 0.9, beta2: 0.98, eps: 1e-8, weightDecay: 0, clipNorm: 1 };
const size = 8;

/** Ids within the table, so that any two rows share some of its entries. */
function small(group: Amplified): Amplified {
  const fold = <T extends { ids: readonly number[] }>(row: T): T => ({
    ...row,
    ids: row.ids.map((id, t) => (id * 3 + t) % size),
  });
  return { ...group, members: group.members.map(fold), auxiliary: group.auxiliary.map(fold) };
}

function example(auxiliary: readonly number[] = [3, 4]): Amplified {
  return small(rowsGroup({
    mask: [[0, 1, 1, 0, 1], [0, 0, 1], [0, 1, 1, 1], [0, 1], [0, 0, 0]],
    advantages: [3, -0.5, -0.5, 0, 1],
    kinds: ["base", "base", "retry", "base", "retry"],
    auxiliary,
  }));
}

/** Runs the stage over these groups on a fresh engine. */
async function run(
  groups: readonly Amplified[],
  options: Partial<UpdateOptions> = {},
  engine = new BigramEngine(size),
) {
  const all = { groups: groups.length, lr: () => 0.1, adamw, ...options };
  const reports = await Stream.fromIterable(groups).pipe(
    update(all),
    Stream.runCollect,
    Effect.provide(engine.layer),
    Effect.runPromise,
  );
  return { engine, reports, metrics: reports[0]?.metrics };
}

Deno.test("a policy-gradient step asks the engine for one accumulate and one optimiser step", async () => {
  const { engine, reports } = await run([example()], { lr: (step) => 0.1 / step });
  assertEquals(engine.calls, ["accumulate", "optimStep"]);
  assertEquals(engine.steps, [{ ...adamw, lr: 0.1 }]);
  assertEquals(reports.map((r) => r.step), [1]);
});

Deno.test("the reported loss is that of the current policy, not of the sampled log-probabilities", async () => {
  const group = example();
  const batch = trainBatch([group]);
  const before = new BigramEngine(size);
  const logp = [...batch.policy, ...batch.auxiliary].map((row) => before.logprobs(row.ids));
  const { metrics } = await run([group]);
  for (const name of [metricNames.policyLoss, metricNames.auxiliaryLoss]) {
    assertAlmostEquals(metrics[name], objective(batch, logp).metrics[name], 1e-6);
  }
});

Deno.test("losses that read log-probabilities get them by one forward pass before", async () => {
  const { engine } = await run([example()], { loss: "ppo" });
  assertEquals(engine.calls, ["logprobs", "accumulate", "optimStep"]);
});

Deno.test("only rows with a trained token and an advantage are sent; all members count in the divisor", async () => {
  const { engine } = await run([example()]);
  const [sent] = engine.rows;
  const lengths = sent.map((row) => row.ids.length);
  assertEquals(lengths, [5, 3, 4, 3, 4]);
  const close = (a: ArrayLike<number>, b: readonly number[]) =>
    b.forEach((v, t) => assertAlmostEquals(a[t], v, 1e-12));
  close(sent[0].weights, [0, 1, 1, 0, 1].map((m) => m * 3 / (3 * 5)));
  close(sent[1].weights, [0, 0, -0.5 / 5]);
  close(sent[2].weights, [0, 1, 1, 1].map((m) => m * -0.5 / (3 * 5)));
  close(sent[3].weights, [1, 1, 1].map(() => 0.2 / (3 * 5)));
  close(sent[4].weights, [1, 1, 1, 1].map(() => 1 / (4 * 5)));
});

Deno.test("denominator trained counts only the rows that get gradient", async () => {
  const { engine } = await run([example()], { denominator: "trained" });
  assertAlmostEquals(engine.rows[0][0].weights[1], 3 / (3 * 3), 1e-12);
});

Deno.test("auxiliary normalisers: own, sum, members, pooled", async () => {
  const weight = async (normaliser: NonNullable<UpdateOptions["auxiliary"]>["normaliser"] & string) => {
    const { engine } = await run([example()], { auxiliary: { normaliser, reflectWeight: 0.5 } });
    return [engine.rows[0][3].weights[0], engine.rows[0][4].weights[0]];
  };
  const expected = {
    members: [0.5 / (3 * 5), 1 / (4 * 5)],
    own: [0.5 / (3 * 2), 1 / (4 * 2)],
    sum: [0.5, 1],
    pooled: [0.5 / (3 * 7), 1 / (4 * 7)],
  };
  for (const [name, values] of Object.entries(expected)) {
    (await weight(name as keyof typeof expected)).forEach((w, i) =>
      assertAlmostEquals(w, values[i], 1e-12, name)
    );
  }
});

Deno.test("normalisers run over all groups of the step", async () => {
  const { engine } = await run([example([]), example([])]);
  assertEquals(engine.rows.length, 1);
  assertAlmostEquals(engine.rows[0][0].weights[1], 3 / (3 * 10), 1e-12);
});

Deno.test("a step in which nothing trains leaves the engine alone and says so", async () => {
  const flat = small(rowsGroup({ mask: [[0, 1], [0, 1]], advantages: [0, 0], rewards: [1, 1] }));
  const { engine, metrics } = await run([flat]);
  assertEquals(engine.calls, []);
  assertEquals(metrics[metricNames.emptyBatch], 1);
  const none = await run([small(rowsGroup({ mask: [[0, 1]], advantages: [1], rewards: [null] }))]);
  assertEquals(none.engine.calls, []);
});

Deno.test("a row that is one sampled token trains", async () => {
  const { engine, metrics } = await run([small(rowsGroup({ mask: [[0, 1], [0, 1]], advantages: [1, -1] }))]);
  assertEquals(engine.rows[0].length, 2);
  assert(metrics[metricNames.gradNorm] > 0);
});

Deno.test("steps take whole groups in order, number from firstStep, and the last may be smaller", async () => {
  const groups = [1, 2, 3, 4, 5].map((cursor) => ({ ...example(), cursor }));
  const { reports } = await run(groups, { groups: 2, firstStep: 7 });
  assertEquals(reports.map((r) => r.step), [7, 8, 9]);
  assertEquals(reports.map((r) => r.groups.map((g) => g.cursor)), [[1, 2], [3, 4], [5]]);
  assertEquals(reports.map((r) => r.metrics[metricNames.globalStep]), [7, 8, 9]);
});

Deno.test("no group is asked for before the step before it is done: on-policy", async () => {
  const engine = new BigramEngine(size);
  const events: string[] = [];
  await Stream.fromIterable([0, 1, 2, 3]).pipe(
    Stream.mapEffect((k) => Effect.sync(() => (events.push(`${k}:${engine.steps.length}`), example()))),
    update({ groups: 2, lr: () => 0.1, adamw }),
    Stream.runDrain,
    Effect.provide(engine.layer),
    Effect.runPromise,
  );
  assertEquals(events, ["0:0", "1:0", "2:1", "3:1"]);
});

/** Value of the whole objective at the engine's logits, in float64. */
function total(engine: BigramEngine, group: Amplified, options: ObjectiveOptions, ref: BigramEngine): number {
  const batch = trainBatch([group], options);
  const rows = [...batch.policy, ...batch.auxiliary];
  const logp = rows.map((row) => engine.logprobs(row.ids));
  const reference = rows.map((row) => ref.logprobs(row.ids));
  const { metrics } = objective(batch, logp, options, reference);
  let value = metrics[metricNames.policyLoss] + (metrics[metricNames.auxiliaryLoss] ?? 0) +
    (options.kl?.coefficient ?? 0) * (metrics[metricNames.klLoss] ?? 0);
  batch.policy.forEach((row) =>
    engine.entropies(row.ids).forEach((h, t) =>
      value -= (options.entropyCoefficient ?? 0) * row.weight * row.mask[t] * h
    )
  );
  return value;
}

const reference = new BigramEngine(size, 9);
const referenceLogprobs: EngineShape["logprobs"] = (rows) =>
  Effect.succeed({ logprobs: rows.map((ids) => Float32Array.from(reference.logprobs(ids))) });
const objectives: ObjectiveOptions[] = [
  {},
  { entropyCoefficient: 0.3 },
  { kl: { estimator: "k3", coefficient: 0.5, reference: referenceLogprobs } },
  { kl: { estimator: "k2", coefficient: 0.5, reference: referenceLogprobs }, entropyCoefficient: 0.1 },
  { loss: "ppo", retryOldLogprobs: "behaviour", lossOptions: { clipLow: 0.9, clipHigh: 9 } },
  { loss: "gspo", retryOldLogprobs: "behaviour", lossOptions: { clipLow: 0.9, clipHigh: 9 } },
  { loss: "opmd", auxiliary: { normaliser: "pooled" } },
  { length: "full", auxiliary: { normaliser: "sum" } },
];
for (const options of objectives) {
  Deno.test(`the parameters move along −∂(objective): ${JSON.stringify(options)}`, async () => {
    const lr = 1e-3;
    const group = example();
    const { engine } = await run([group], { ...options, lr: () => lr });
    const start = new BigramEngine(size);
    for (const i of [0, 3, 9, 17, 26, 33, 41, 50, 63]) {
      const at = (by: number) => {
        const moved = new BigramEngine(size);
        moved.logits[i] += by;
        return total(moved, group, options, reference);
      };
      const numeric = -(at(1e-4) - at(-1e-4)) / 2e-4;
      assertAlmostEquals((engine.logits[i] - start.logits[i]) / lr, numeric, 2e-6, `logit ${i}`);
    }
  });
}

Deno.test("KL and entropy coefficients change the step, and reach rows whose advantage is 0", async () => {
  const after = async (options: ObjectiveOptions) => [...(await run([example()], options)).engine.logits];
  const plain = await after({});
  const kl = (coefficient: number) => ({
    kl: { estimator: "k3" as const, coefficient, reference: referenceLogprobs },
  });
  assertEquals(await after(kl(0)), plain);
  assertNotEquals(await after(kl(1)), plain);
  assertNotEquals(await after({ entropyCoefficient: 1 }), plain);
  const flat = small(rowsGroup({ mask: [[0, 1], [0, 1]], advantages: [0, 0], rewards: [1, 1] }));
  assertEquals((await run([flat], kl(1))).engine.calls, ["logprobs", "accumulate", "optimStep"]);
});

Deno.test("retry members have ratio 1 unless their guided log-probabilities are asked for", async () => {
  const only = small(rowsGroup({ mask: [[0, 1, 1]], advantages: [1], kinds: ["retry"] }));
  const unguided = await run([only], { loss: "ppo" });
  assertAlmostEquals(unguided.engine.rows[0][0].weights[1], 0.5, 1e-12);
  const behaviour = await run([only], { loss: "ppo", retryOldLogprobs: "behaviour" });
  assert(Math.abs(behaviour.engine.rows[0][0].weights[1] - 0.5) > 1e-3);
});

Deno.test("one step on a success raises its likelihood, on a failure lowers it", async () => {
  const group = small(rowsGroup({ mask: [[0, 1, 1], [0, 1, 1]], advantages: [1, -1] }));
  const before = new BigramEngine(size);
  const { engine } = await run([group]);
  const sum = (e: BigramEngine, i: number) => e.logprobs(group.members[i].ids).reduce((a, b) => a + b, 0);
  assert(sum(engine, 0) > sum(before, 0));
  assert(sum(engine, 1) < sum(before, 1));
});

Deno.test("a loss that is no number fails before the optimiser step", async () => {
  const engine = new BigramEngine(size);
  engine.logits.fill(NaN);
  const error = await assertRejects(() => run([example()], {}, engine), EngineError, "actor/pg_loss is NaN");
  assertEquals(error.operation, "take optimiser step 1");
  assertEquals(engine.calls, ["accumulate"]);
});

Deno.test("token metrics: entropy, sampler gap on base rows, shares", async () => {
  const engine = new BigramEngine(size);
  const exact = example();
  const members = exact.members.map((m) => ({ ...m, logprobs: engine.logprobs(m.ids) }));
  const { metrics } = await run([{ ...exact, members }]);
  assertAlmostEquals(metrics[metricNames.rolloutKl], 0, 1e-6);
  assertAlmostEquals(metrics[metricNames.probsDiffMax], 0, 1e-6);
  assertAlmostEquals(metrics[metricNames.auxiliaryTokenShare], 7 / 14, 1e-12);
  assertEquals(metrics[metricNames.trainedTokens], 14);
  assert(metrics[metricNames.entropy] > 0 && metrics[metricNames.entropy] < Math.log(size));
  const off = await run([exact]);
  assert(off.metrics[metricNames.probsDiffMean] > 0.01);
  // Retries were sampled with guidance in context: their gap says nothing about the sampler.
  const guided = members.map((m) => m.kind === "base" ? m : { ...m, logprobs: m.ids.map(() => -3) });
  const mixed = await run([{ ...exact, members: guided }]);
  assertAlmostEquals(mixed.metrics[metricNames.rolloutKl], 0, 1e-6);
});

Deno.test("staleness is the number of steps since the sampling policy", async () => {
  const fresh = { ...example(), attempts: [diagnosed({ turns: [["go", 1]], version: 4 })] };
  const stale = { ...example(), attempts: [{ ...fresh.attempts[0], ...attempt({ turns: [], version: 2 }) }] };
  const { metrics } = await run([fresh, stale], { firstStep: 5 });
  assertEquals(metrics[metricNames.stalenessMean], 1);
  assertEquals(metrics[metricNames.stalenessMax], 2);
});

Deno.test("a KL penalty, or a loss against the start, without a reference policy fails the step", async () => {
  for (
    const [options, reader] of [
      [{ kl: { estimator: "k3", coefficient: 0.01 } }, "the KL penalty (algorithm.kl_coef)"],
      [{ loss: "dpo" }, "the loss dpo"],
    ] as const
  ) {
    const error = await assertRejects(() => run([example()], options), EngineError);
    assertEquals(
      error.reason,
      `${reader} needs a reference policy: give the pipeline what runContext(config) gives`,
    );
  }
  await run([example()], { kl: { estimator: "k3", coefficient: 0 } });
});

Deno.test("lists that do not go with the members fail the step, with task and name", async () => {
  const group = example();
  for (const change of [{ advantages: [1] }, { trainMasks: [...group.trainMasks, [1] as const] }]) {
    const error = await assertRejects(() => run([{ ...group, ...change }]), EngineError);
    const [[name, list]] = Object.entries(change);
    assertEquals(error.reason, `task ${group.task.id} has 5 members and ${list.length} ${name}`);
  }
});
