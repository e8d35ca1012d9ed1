import { escapeHtml } from "../report/escape_html.ts";
import { wrap } from "../command/wrap.ts";
import { table } from "../terminal/table.ts";
import type { ComparisonTable } from "./tables.ts";

/** For a terminal of 80 columns. */
export function textTables(tables: readonly ComparisonTable[]): string {
  return tables.map(({ title, rows, note }) => [title, "", table(rows), ...wrap(note, 80)].join("\n")).join(
    "\n\n",
  );
}

/** As Markdown, numbers to the right. */
export function markdownTables(tables: readonly ComparisonTable[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return tables.map(({ title, rows: [header, ...rows], note }) =>
    [
      `## ${title}`,
      "",
      line(header),
      line(header.map((_, i) => i === 0 ? "---" : "---:")),
      ...rows.map(line),
      "",
      note.replaceAll("*", "\\*"),
    ].join("\n")
  ).join("\n\n") + "\n";
}

/** As HTML. */
export function htmlTables(tables: readonly ComparisonTable[]): string {
  const line = (tag: string, cells: readonly string[]) =>
    `<tr>${cells.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join("")}</tr>`;
  return tables.map(({ title, rows: [header, ...rows], note }) =>
    `<h3>${escapeHtml(title)}</h3>
<table>
<thead>${line("th", header)}</thead>
<tbody>${rows.map((row) => line("td", row)).join("\n")}</tbody>
</table>
<p class="muted">${escapeHtml(note)}</p>`
  ).join("\n");
}
