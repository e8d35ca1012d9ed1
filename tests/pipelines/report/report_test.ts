import { Effect } from "effect";
import { assert, assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { evalMetric, parseEvalMetric } from "../../../pipelines/evaluation/eval_metric.ts";
import { charts } from "../../../pipelines/report/charts.ts";
import { escapeHtml, scriptJson } from "../../../pipelines/report/escape_html.ts";
import { headline } from "../../../pipelines/report/headline.ts";
import { pivotVerdict } from "../../../pipelines/report/pivot_verdict.ts";
import { readerData } from "../../../pipelines/report/reader_data.ts";
import { type MetricsLine, readRun } from "../../../pipelines/report/read_run.ts";
import { summary } from "../../../pipelines/report/summary.ts";
import { windowMeans } from "../../../pipelines/report/window_means.ts";
import { writeReport } from "../../../pipelines/report/write_report.ts";
import { metricNames } from "../../../stages/metrics/metric_names.ts";
import { hostileText, syntheticRecord, writeSyntheticRun } from "./_synthetic_run.ts";

async function withRun(test: (folder: string) => Promise<void>, steps = 40): Promise<void> {
  const folder = Deno.makeTempDirSync();
  try {
    writeSyntheticRun(folder, steps);
    await test(folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

Deno.test("escaping leaves no markup and JSON in a script element cannot end it", () => {
  assertEquals(escapeHtml(`<a href="x">'&'</a>`), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;");
  const json = scriptJson({ text: hostileText });
  assert(!/[<\u2028\u2029]/.test(json));
  assertEquals(JSON.parse(json), { text: hostileText });
});

Deno.test("a completion with markup, line breaks and emoji arrives whole and stays text", () =>
  withRun(async (folder) => {
    const path = await Effect.runPromise(writeReport(folder));
    const html = Deno.readTextFileSync(path);
    assertEquals(html.match(/<\/script>/g)?.length, 2);
    assert(!html.includes("<script>alert"));
    const json = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html)![1];
    const data = JSON.parse(json);
    assertEquals(data.groups.length, 10);
    assertStringIncludes(data.groups[0].diagnoses[0].text, hostileText);
    assert(data.texts.some((text: string) => text.includes("\u{1F600}")));
    // The page may not load or send anything.
    assertStringIncludes(html, "default-src 'none'");
    assert(!/(src|href)="?(https?:)?\/\//.test(html));
    assert(!/\binnerHTML|insertAdjacentHTML|document\.write|\beval\(/.test(html));
  }));

Deno.test("every curve of a run is drawn", () =>
  withRun(async (folder) => {
    const path = await Effect.runPromise(writeReport(folder));
    const html = Deno.readTextFileSync(path);
    const titles = charts((await Effect.runPromise(readRun(folder))).metrics).map(({ title }) => title);
    assertEquals(titles, [
      "Held-out success",
      "Reward while training",
      "Retry improvement rate",
      "Reward gain",
      "Pivot turn",
      "Reports and groups",
      "Entropy",
      "Gradient norm",
      "Time per stage",
    ]);
    assertEquals(html.match(/<svg/g)?.length, titles.length);
  }));

Deno.test("a run of a method without retries says nothing about them", () =>
  withRun(async (folder) => {
    const path = `${folder}/metrics.jsonl`;
    const lines = Deno.readTextFileSync(path).trim().split("\n").map((line) => {
      const values = Object.entries(JSON.parse(line)).filter(([name]) =>
        !/^retry\/(pivot|improvement)/.test(name)
      );
      return JSON.stringify({ ...Object.fromEntries(values), [metricNames.retryCount]: 0 });
    });
    Deno.writeTextFileSync(path, lines.join("\n") + "\n");
    const run = await Effect.runPromise(readRun(folder));
    assert(!charts(run.metrics).some(({ title }) => /Retry|gain|Pivot/.test(title)));
    const text = summary(run);
    assert(!/reward gain|retry/.test(text), text);
    assertStringIncludes(text, "Pivot: no retries.");
  }));

Deno.test("a supervised run shows its loss, which says nothing elsewhere", () =>
  withRun(async (folder) => {
    const path = `${folder}/metrics.jsonl`;
    const lines = Deno.readTextFileSync(path).trim().split("\n").map((line, step) =>
      JSON.stringify({ ...JSON.parse(line), ...(step > 0 && { [metricNames.policyLoss]: 3 / step }) })
    );
    Deno.writeTextFileSync(path, lines.join("\n") + "\n");
    const shown = async () => {
      const run = await Effect.runPromise(readRun(folder));
      return [charts(run.metrics).some(({ title }) => title === "Loss"), /^loss /m.test(summary(run))];
    };
    assertEquals(await shown(), [false, false]);
    const config = `${folder}/config.yaml`;
    Deno.writeTextFileSync(config, Deno.readTextFileSync(config).replace("name: r3l", "name: sft"));
    assertEquals(await shown(), [true, true]);
  }));

Deno.test("an evaluation's folder is summed up as one", () =>
  withRun(async (folder) => {
    Deno.writeTextFileSync(`${folder}/evaluation.yaml`, "");
    const text = summary(await Effect.runPromise(readRun(folder)));
    assert(!/Pivot|steps? in/.test(text), text);
    assertStringIncludes(text, "eval.baseline");
    const html = Deno.readTextFileSync(await Effect.runPromise(writeReport(folder)));
    assert(!html.includes('<p class="verdict'));
  }));

Deno.test("a run without any step, or without attempts, still has a report", () =>
  withRun(async (folder) => {
    Deno.removeSync(`${folder}/attempts.jsonl`);
    Deno.removeSync(`${folder}/metrics.jsonl`);
    const html = Deno.readTextFileSync(await Effect.runPromise(writeReport(folder)));
    assertStringIncludes(html, "too few steps");
  }));

Deno.test("a torn last line is left out; a foreign file is named", () =>
  withRun(async (folder) => {
    const whole = await Effect.runPromise(readRun(folder));
    Deno.writeTextFileSync(`${folder}/metrics.jsonl`, '{"step":41,"crit', { append: true });
    Deno.writeTextFileSync(`${folder}/attempts.jsonl`, '{"step":41}', { append: true });
    assertEquals(await Effect.runPromise(readRun(folder)), whole);
    Deno.writeTextFileSync(`${folder}/attempts.jsonl`, '{"step":1}\n');
    await assertRejects(() => Effect.runPromise(readRun(folder)), Error, "line 1 is no record of attempts");
  }));

Deno.test("the headline compares first and last evaluations and windows of ten steps", () => {
  const name = evalMetric("household", "success", 0.4);
  const metrics: MetricsLine[] = Array.from({ length: 31 }, (_, step) => ({
    step,
    values: {
      ...(step % 15 === 0 ? { [name]: step / 100 } : {}),
      ...(step > 0 ? { [metricNames.scoreMean]: step, "timing_s/step": 2, "perf/total_num_tokens": 50 } : {}),
    },
  }));
  assertEquals(headline({ metrics }).training, [{ label: "mean reward", before: 5.5, after: 25.5 }]);
  assertEquals(headline({ metrics }).evaluations[0].before, 0);
  assertEquals(headline({ metrics }).evaluations[0].after, 0.3);
  assertEquals(headline({ metrics }).throughput, 25);
  assertEquals(windowMeans(metrics, "absent"), undefined);
});

Deno.test("evaluation names are read back", () => {
  assertEquals(parseEvalMetric(evalMetric("household", "success", 0.4)), {
    source: "household",
    metric: "success",
    temperature: 0.4,
  });
  assertEquals(parseEvalMetric(metricNames.scoreMean), undefined);
});

const pivots = (means: readonly number[], spread: number): readonly MetricsLine[] =>
  means.map((mean, i) => ({
    step: i + 1,
    values: { [metricNames.retryPivotMean]: mean, [metricNames.retryPivotStd]: spread },
  }));

Deno.test("the verdict on the pivot tells drift from collapse", () => {
  assertEquals(pivotVerdict(pivots([5, 5, 4.5, 4, 4, 4], 2)).state, "kept");
  assertEquals(pivotVerdict(pivots([5, 5, 4, 1, 1, 1], 2)).state, "collapsed");
  assertEquals(pivotVerdict(pivots([3, 3, 3, 3], 0.1)).state, "collapsed");
  assertEquals(pivotVerdict(pivots([3, 3], 1)).state, "unknown");
  // One retry a step has no spread of its own; the steps together have.
  assertEquals(pivotVerdict(pivots([2, 4, 5, 3, 2, 6, 3, 5], 0)).state, "kept");
  // A single question has one turn.
  assertEquals(pivotVerdict(pivots([0, 0, 0, 0], 0)).text, "Pivot: always the first turn.");
  assertMatch(pivotVerdict(pivots([5, 5, 1, 1], 2)).text, /mean turn 5\.00 to 1\.00/);
});

Deno.test("the summary fits 80 columns", () =>
  withRun(async (folder) => {
    const text = summary(await Effect.runPromise(readRun(folder)));
    assertStringIncludes(text, "held-out success, temperature 1");
    for (const line of text.split("\n")) assert(line.length <= 80, line);
  }));

Deno.test("too many attempts are thinned by whole steps, first and last kept", () => {
  const records = Array.from({ length: 20 }, (_, i) => syntheticRecord(i + 1, 0));
  const size = records[0].members.reduce((sum, { tokens }) => sum + tokens.length, 0);
  const data = readerData(records, 5 * size);
  const steps = data.groups.map((group) => (group as { step: number }).step);
  assertEquals(data.omitted, 15);
  assertEquals([steps.length, steps[0], steps.at(-1)], [5, 1, 20]);
  assertEquals(readerData(records).omitted, 0);
});
