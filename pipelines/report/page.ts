import { duration } from "../terminal/progress_line.ts";
import type { Chart } from "./chart_spec.ts";
import { escapeHtml, scriptJson } from "./escape_html.ts";
import { type Headline, headline, type HeadlineRow } from "./headline.ts";
import { type PivotVerdict, pivotVerdict } from "./pivot_verdict.ts";
import { readerData } from "./reader_data.ts";
import type { Run } from "./read_run.ts";

/** A drawn chart. */
export interface DrawnChart extends Pick<Chart, "title" | "caption"> {
  readonly svg: string;
}

/** Files that the page carries in itself. */
export interface PageAssets {
  readonly style: string;
  readonly script: string;
}

/** The report as one HTML page that loads nothing. */
export function page(run: Run, drawn: readonly DrawnChart[], assets: PageAssets): string {
  const numbers = headline(run);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>${escapeHtml(run.title)} - Pivot</title>
<style>
${assets.style}</style>
</head>
<body>
<header>
<h1>${escapeHtml(run.title)}</h1>
<p class="muted">${escapeHtml(run.folder)} &middot; ${
    escapeHtml(run.isEvaluation ? "evaluation" : pace(numbers))
  }</p>
</header>
<main>
<section class="cards">${[...numbers.evaluations, ...numbers.training].map(card).join("\n")}</section>
${run.isEvaluation ? "" : verdict(pivotVerdict(run.metrics))}
<h2>Curves</h2>
<section class="charts">${drawn.map(figure).join("\n")}</section>
<h2>Attempts</h2>
<section id="reader"><noscript>The reader of attempts needs JavaScript; the curves do not.</noscript></section>
<details><summary>Configuration</summary><pre>${escapeHtml(run.configText)}</pre></details>
</main>
<script type="application/json" id="data">${scriptJson(readerData(run.attempts))}</script>
<script>
${assets.script}</script>
</body>
</html>
`;
}

function pace({ steps, seconds, throughput }: Headline): string {
  const speed = throughput === undefined
    ? []
    : [`${Math.round(throughput).toLocaleString("en-US")} tokens/s`];
  return [`${steps} steps`, duration(seconds), ...speed].join(", ");
}

function card({ label, before, after }: HeadlineRow): string {
  const change = after - before;
  return `<div class="card"><div class="label">${escapeHtml(label)}</div>
<div class="number">${before.toFixed(3)} <span class="muted">&rarr;</span> ${after.toFixed(3)}</div>
<div class="muted">${change < 0 ? "" : "+"}${change.toFixed(3)}</div></div>`;
}

function verdict({ state, text }: PivotVerdict): string {
  return `<p class="verdict ${state}">${escapeHtml(text)}</p>`;
}

function figure({ title, caption, svg }: DrawnChart): string {
  return `<figure><figcaption><b>${escapeHtml(title)}</b><br><span class="muted">${
    escapeHtml(caption)
  }</span></figcaption>${svg}</figure>`;
}
