import { assert, assertAlmostEquals, assertEquals, assertNotEquals } from "@std/assert";
import { Effect, Stream } from "effect";
import type { EngineShape } from "../../../../stages/engine/engine.ts";
import { metricNames } from "../../../../stages/metrics/metric_names.ts";
import type { Amplified } from "../../../../stages/record.ts";
import type { DistillationOptions } from "../../../../stages/update/distillation/distillation_options.ts";
import {
  teacherRow,
  toPolicyPositions,
  toTeacherPositions,
} from "../../../../stages/update/distillation/teacher_row.ts";
import { objective } from "../../../../stages/update/objective.ts";
import { trainBatch, type TrainRow } from "../../../../stages/update/train_batch.ts";
import { update } from "../../../../stages/update/update.ts";
import type { UpdateOptions } from "../../../../stages/update/update_options.ts";
import { rowsGroup } from "../../_make_group.ts";
import { BigramEngine } from "../_bigram_engine.ts";

const size = 8;

/** Two rollouts whose openings are two and three ids long. */
function example(privileged?: readonly number[]): Amplified {
  const group = rowsGroup({ mask: [[0, 0, 1, 1, 0, 1], [0, 0, 0, 1, 1]], advantages: [1, -1] });
  const members = group.members.map((row) => ({ ...row, ids: row.ids.map((id, t) => (id * 3 + t) % size) }));
  return { ...group, members, ...(privileged === undefined ? {} : { privileged }) };
}

function row(ids: readonly number[], mask: readonly (0 | 1)[], privileged?: readonly number[]): TrainRow {
  return {
    ...{ kind: "base", group: 0, ids, mask, behaviour: ids.map(() => 0), advantage: 0, weight: 1 },
    ...(privileged === undefined ? {} : { privileged: { ids: privileged, replaces: mask.indexOf(1) } }),
  };
}

Deno.test("the teacher reads its own opening and the same reply, aligned by the reply", () => {
  for (const privileged of [[9, 9, 9, 9], [9]]) {
    const given = row([1, 2, 3, 4, 5], [0, 0, 1, 0, 1], privileged);
    const view = teacherRow(given, 10);
    assertEquals(view.ids, [...privileged, 3, 4, 5]);
    const mask = toTeacherPositions(given.mask, view);
    assertEquals(given.ids.filter((_, t) => given.mask[t]), view.ids.filter((_, s) => mask[s]));
    const values = toPolicyPositions(view.ids, given.ids.length, view.shift);
    assertEquals([values[2], values[3], values[4]], [3, 4, 5]);
  }
});

Deno.test("without an opening of its own, or without room for it, the teacher reads the policy's row", () => {
  const direct = { ids: [1, 2, 3], shift: 0, isPrivileged: false };
  assertEquals(teacherRow(row([1, 2, 3], [0, 0, 1]), 10), direct);
  assertEquals(teacherRow(row([1, 2, 3], [0, 0, 1], [7, 7, 7, 7]), 4), direct);
  assertEquals(teacherRow(row([1, 2, 3], [0, 0, 1], [7, 7, 7]), 4).ids, [7, 7, 7, 3]);
});

const other = new BigramEngine(size, 9);

/** A teacher that tells what it was asked. */
function teacherOf(asked: (readonly number[])[] = [], engine = other): DistillationOptions["teacher"] {
  const logprobs: EngineShape["logprobs"] = (rows) => {
    asked.push(...rows);
    return Effect.succeed({ logprobs: rows.map((ids) => Float32Array.from(engine.logprobs(ids))) });
  };
  return { logprobs, contextLength: 100 };
}

async function step(
  group: Amplified,
  distillation: Partial<DistillationOptions>,
  options: Partial<UpdateOptions> = {},
) {
  const engine = new BigramEngine(size);
  const adamw = { beta1: 0.9, beta2: 0.98, eps: 1e-8, weightDecay: 0, clipNorm: 1 };
  const [report] = await Stream.make(group).pipe(
    update({
      ...{ groups: 1, lr: () => 0.05, adamw, aggregation: "seq-mean-token-sum" as const },
      distillation: { teacher: teacherOf(), form: "sampled", ...distillation },
      ...options,
    }),
    Stream.runCollect,
    Effect.provide(engine.layer),
    Effect.runPromise,
  );
  return { engine, metrics: report.metrics };
}

Deno.test("the parameters move along −∂(sampled form), rewards left out", async () => {
  const group = example();
  const lr = 1e-3;
  const distillation = { teacher: teacherOf(), form: "sampled", estimator: "k2", coefficient: 0.7 } as const;
  const options = { distillation, aggregation: "seq-mean-token-sum" } as const;
  const { engine } = await step(group, distillation, { ...options, lr: () => lr });
  const start = new BigramEngine(size);
  const batch = trainBatch([group], options);
  const ids = batch.policy.map((one) => one.ids);
  const teacher = ids.map((one) => other.logprobs(one));
  for (let i = 0; i < size * size; i++) {
    const at = (by: number) => {
      const moved = new BigramEngine(size);
      moved.logits[i] += by;
      const logp = ids.map((one) => moved.logprobs(one));
      return objective(batch, logp, options, undefined, teacher).metrics[metricNames.distillationLoss];
    };
    const slope = (at(1e-4) - at(-1e-4)) / 2e-4;
    assertAlmostEquals((engine.logits[i] - start.logits[i]) / lr, -slope, 2e-5);
  }
});

Deno.test("a teacher's opening changes what it says and nothing else", async () => {
  const asked: (readonly number[])[] = [];
  const privileged = [6, 6, 6, 6, 1];
  const direct = await step(example(), {});
  const taught = await step(example(privileged), { teacher: teacherOf(asked) });
  assertEquals(asked.map((ids) => ids.slice(0, 5)), [privileged, privileged]);
  assertEquals(taught.engine.rows[0].map(({ ids }) => ids), direct.engine.rows[0].map(({ ids }) => ids));
  assertEquals([direct, taught].map(({ metrics }) => metrics[metricNames.privilegedRows]), [0, 2]);
  // A bigram only sees the token before: the first of the reply differs, the others do not.
  const [before, after] = [direct, taught].map(({ engine }) => engine.rows[0][0].weights);
  assertNotEquals(before[2], after[2]);
  assertEquals([before[3], before[5]], [after[3], after[5]]);
});

Deno.test("rewards train beside a teacher only if asked to", async () => {
  const rewarded = await step(example(), { taskRewards: true, coefficient: 1e-9 });
  const alone = await step(example(), { coefficient: 1e-9 });
  assert(rewarded.metrics[metricNames.gradNorm] > 0.1);
  assert(alone.metrics[metricNames.gradNorm] < 1e-6);
  assertEquals(alone.metrics[metricNames.policyLoss], 0);
});

Deno.test("an engine that keeps its distributions cannot teach the full form", async () => {
  const error = await step(example(), { form: "full" }).then(() => "", (e: Error) => e.message);
  assert(error.includes("Cannot distil: the teacher's engine keeps its distributions"), error);
});
