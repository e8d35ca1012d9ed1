/**
 * Draws the curves of `docs/results.md` from run folders:
 * `deno run --allow-read --allow-write docs/results/draw.ts out.svg metric label=folder ...`
 *
 * @module
 */
import { Effect } from "effect";
import { readRun } from "../../pipelines/report/read_run.ts";
import { renderChart } from "../../pipelines/report/render_chart.ts";

const [out, metric, ...runs] = Deno.args;
const points = [];
for (const text of runs) {
  const at = text.indexOf("=");
  const { metrics } = await Effect.runPromise(readRun(text.slice(at + 1)));
  for (const { step, values } of metrics) {
    if (metric in values) points.push({ step, series: text.slice(0, at), value: values[metric] });
  }
}
const few = points.length < 40 * runs.length;
const chart = { title: metric, caption: metric, points, mark: few ? "dots" as const : "line" as const };
await Deno.writeTextFile(out, await renderChart({ ...chart, ...(few ? { range: [0, 1] as const } : {}) }));
