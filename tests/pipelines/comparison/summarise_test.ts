import { Result } from "effect";
import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { chooseRate } from "../../../pipelines/comparison/choose_rate.ts";
import { makeComparison } from "../../../pipelines/comparison/comparison.ts";
import { runResult } from "../../../pipelines/comparison/run_result.ts";
import { markdownTables, textTables } from "../../../pipelines/comparison/render_tables.ts";
import { summarise } from "../../../pipelines/comparison/summarise.ts";
import { tables } from "../../../pipelines/comparison/tables.ts";
import { evalMetric } from "../../../pipelines/evaluation/eval_metric.ts";
import { resultOf } from "./_results.ts";

const search = { rates: [1e-3, 1e-4, 1e-2], seeds: [9], tokens: 1000 };
const comparison = Result.getOrThrow(makeComparison({
  source: "test",
  yaml:
    "{folder: /nowhere, tokens: 1000, entries: {a: , b: }, reference: b, search: {seeds: [9], tokens: 1000}}",
}));
const tried = (rate: number, last: number) =>
  resultOf({ phase: "search", start: "start", entry: "a", seed: 9, rate }, { last });

Deno.test("the rate with the best mean success over the search is chosen, the smaller one of equals", () => {
  const { chosen, atEdge, tokens, seconds, tried: scores } = chooseRate(
    [tried(1e-4, 0.4), tried(1e-3, 0.6), tried(1e-2, 0.6)],
    search,
  );
  assertEquals([chosen, atEdge, tokens, seconds], [1e-3, false, 3000, 33]);
  assertEquals(scores.map(({ rate }) => rate), [1e-4, 1e-3, 1e-2]);
  assertAlmostEquals(scores[1].score!, 0.4);
  assertEquals(chooseRate([tried(1e-4, 0.4), tried(1e-3, 0.6), tried(1e-2, 0.7)], search).atEdge, true);
});

Deno.test("a rate whose run failed is not chosen; one rate needs no search", () => {
  const result = chooseRate([tried(1e-4, 0.4), tried(1e-2, 0.3)], search);
  assertEquals([result.chosen, result.tried[1].score], [1e-4, null]);
  assertEquals(chooseRate([], search).chosen, undefined);
  assertEquals(chooseRate([], { ...search, rates: [5e-4] }).chosen, 5e-4);
});

const searchOf = () => chooseRate([tried(1e-4, 0.4), tried(1e-3, 0.6), tried(1e-2, 0.5)], search);
const results = [
  // a reaches 0.2 + 0.3 at 600 of 1,000 tokens with seed 1, and ends its last run in a step too long.
  resultOf({ start: "start", entry: "a", seed: 1 }, { last: 0.7 }),
  resultOf({ start: "start", entry: "a", seed: 2 }, { last: 0.7, tokens: 1250, seconds: 30 }),
  resultOf({ start: "start", entry: "b", seed: 1 }, { last: 0.4 }),
  resultOf({ start: "start", entry: "b", seed: 2 }, { last: 0.5 }),
];

Deno.test("means, intervals, differences and costs by hand", () => {
  const [{ before, entries: [a, b] }] = summarise(comparison, results, searchOf);
  assertAlmostEquals(before, 0.2);
  // Seed 2 passes the budget at 0.2 + 0.5 * 1000 / 1250.
  assertAlmostEquals(a.success.mean, (0.7 + 0.6) / 2);
  assertAlmostEquals(a.success.half!, 12.7062 * 0.05, 1e-4);
  assertAlmostEquals(a.meanSuccess.mean, (0.45 + 0.4) / 2);
  assertAlmostEquals(a.minusReference!.success.mean, (0.3 + 0.1) / 2);
  assertAlmostEquals(a.minusReference!.success.half!, 12.7062 * 0.1, 1e-4);
  assertEquals(b.minusReference, null);
  assertAlmostEquals(a.costs.tokens.interval!.mean, (600 + 750) / 2);
  assertAlmostEquals(a.costs.seconds.interval!.mean, (6 + 18) / 2);
  // 0.5 is reached by one of b's seeds.
  assertEquals(b.costs.tokens, { reached: 1, runs: 2, interval: null });
  assertEquals([a.tokens, a.seconds, a.split.sample], [1125, 20, 10]);
});

Deno.test("what is reached beyond the budget does not count", () => {
  const late = [resultOf({ start: "start", entry: "a", seed: 1 }, { last: 0.51, tokens: 1250 })];
  const [{ entries: [a] }] = summarise(comparison, late, searchOf);
  assertEquals(a.costs.tokens.reached, 0);
  assertEquals(a.costs.seconds.reached, 0);
});

Deno.test("the tables fit 80 columns, and Markdown holds the same cells", () => {
  const made = tables(comparison, summarise(comparison, results, searchOf));
  const text = textTables(made);
  assertEquals(text.split("\n").filter((line) => line.length > 80), []);
  const row = text.split("\n").find((line) => line.startsWith("a "))!.split(/\s{2,}/);
  assertEquals(row, ["a", "1e-3", "0.650 ± 0.635", "0.425 ± 0.318", "1 ± 1", "12 ± 76"]);
  assert(markdownTables(made).includes(`| ${row.join(" | ")} |`));
  assertEquals(made.map(({ title }) => title.split(": ")[1]), [
    "held-out success, 0.200 before training",
    "difference to b, on the same seeds",
    "seconds of a run",
    "search of the learning rate",
  ]);
});

Deno.test("a run's result adds up its steps, and evaluations are no part of its cost", () => {
  const [spec] = comparison.runs(() => 1e-3);
  const success = evalMetric("household", "success", 1);
  const step = {
    "rollout/generated_tokens": 400,
    "perf/time_per_step": 2,
    "perf/processor_seconds": 3,
    "timing_s/sample": 1,
    "timing_s/update": 0.75,
  };
  const lines = [
    { step: 0, values: { [success]: 0.2, "timing_s/eval": 7 } },
    { step: 1, values: step },
    { step: 2, values: { ...step, [success]: 0.5, "timing_s/eval": 7 } },
  ];
  const result = runResult(spec, lines, "hash");
  assertEquals(result.curve, [
    { step: 0, tokens: 0, seconds: 0, success: 0.2 },
    { step: 2, tokens: 800, seconds: 4, success: 0.5 },
  ]);
  assertEquals([result.steps, result.tokens, result.seconds, result.evalSeconds], [2, 800, 4, 14]);
  assertEquals([result.split.sample, result.split.update, result.split.other], [2, 1.5, 0.5]);
  assertEquals([result.processorSeconds, result.config], [6, "hash"]);
  // A run that began before processor time was counted has none.
  const { "perf/processor_seconds": _, ...old } = step;
  assertEquals(runResult(spec, [{ step: 1, values: old }, ...lines], "").processorSeconds, undefined);
});
