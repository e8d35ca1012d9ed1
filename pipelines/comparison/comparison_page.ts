import { stringify } from "@std/yaml";
import { escapeHtml } from "../report/escape_html.ts";
import type { Comparison } from "./comparison.ts";
import type { ComparisonChart } from "./comparison_charts.ts";
import { htmlTables } from "./render_tables.ts";
import type { ComparisonTable } from "./tables.ts";

/** A drawn chart. */
export type DrawnComparisonChart = Omit<ComparisonChart, "spec"> & { readonly svg: string };

/** What the page shows. */
export interface ComparisonPageParts {
  readonly comparison: Comparison;
  readonly machine: string;
  readonly tables: readonly ComparisonTable[];
  readonly drawn: readonly DrawnComparisonChart[];
  /** The report's style sheet. */
  readonly style: string;
}

/** compare.html: one page that loads nothing and runs nothing. */
export function comparisonPage({ comparison, machine, tables, drawn, style }: ComparisonPageParts): string {
  const { settings, reference } = comparison;
  const entries = Object.keys(settings.entries);
  const title = `${entries.length} methods at ${settings.tokens.toLocaleString("en-US")} generated tokens`;
  const facts = [
    settings.folder,
    `seeds ${settings.seeds.join(", ")}`,
    `compared with ${reference}`,
    machine,
  ].join(", ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(title)} - Pivot</title>
<style>
${style}${tableStyle}</style>
</head>
<body>
<header>
<h1>${escapeHtml(title)}</h1>
<p class="muted">${escapeHtml(facts)}</p>
</header>
<main>
${Object.keys(settings.starts).map((start) => section(start, tables, drawn)).join("\n")}
<details><summary>Configuration</summary><pre>${escapeHtml(stringify(settings))}</pre></details>
</main>
</body>
</html>
`;
}

function section(
  start: string,
  tables: readonly ComparisonTable[],
  drawn: readonly DrawnComparisonChart[],
): string {
  const charts = drawn.filter((chart) => chart.start === start);
  if (charts.length === 0) return "";
  const [wide, small] = [
    charts.filter(({ size }) => size === "wide"),
    charts.filter(({ size }) => size === "small"),
  ];
  return `<h2>Start: ${escapeHtml(start)}</h2>
${wide.map(figure).join("\n")}
${htmlTables(tables.filter((table) => table.start === start))}
<h3>One by one</h3>
<section class="charts">${small.map(figure).join("\n")}</section>`;
}

function figure({ title, caption, svg }: DrawnComparisonChart): string {
  return `<figure><figcaption><b>${escapeHtml(title)}</b><br><span class="muted">${
    escapeHtml(caption)
  }</span></figcaption>${svg}</figure>`;
}

const tableStyle = `table {
  border-collapse: collapse;
  margin: 8px 0;
  font-variant-numeric: tabular-nums;
}
th,
td {
  padding: 4px 12px;
  border-bottom: 1px solid var(--line);
  text-align: right;
  white-space: nowrap;
}
th:first-child,
td:first-child {
  text-align: left;
}
main > figure {
  margin-bottom: 16px;
}
`;
