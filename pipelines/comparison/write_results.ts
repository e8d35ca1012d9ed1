import { Effect } from "effect";
import { FileError } from "../../stages/errors.ts";
import { beginPage, renderSpec } from "../report/render_chart.ts";
import { tryFile } from "../run_folder/try_file.ts";
import { writeAtomic } from "../run_folder/write_atomic.ts";
import type { RateSearch } from "./choose_rate.ts";
import type { Comparison } from "./comparison.ts";
import { comparisonCharts } from "./comparison_charts.ts";
import { comparisonPage } from "./comparison_page.ts";
import { markdownTables, textTables } from "./render_tables.ts";
import type { RunResult } from "./run_result.ts";
import { summarise } from "./summarise.ts";
import { tables } from "./tables.ts";

/** Results of a comparison. */
export interface Written {
  /** The tables for a terminal. */
  readonly text: string;
  /** compare.html */
  readonly page: string;
}

/** Writes compare.json and compare.md, and compare.html unless `withPage` is false, into the comparison's folder. */
export const writeResults = Effect.fnUntraced(function* (
  comparison: Comparison,
  results: readonly RunResult[],
  searchOf: (start: string, entry: string) => RateSearch,
  withPage = true,
): Effect.fn.Return<Written, FileError> {
  const { settings } = comparison;
  const { folder } = settings;
  const starts = summarise(comparison, results, searchOf);
  const made = tables(comparison, starts);
  const write = (name: string, text: string) =>
    tryFile(`${folder}/${name}`, () => writeAtomic(`${folder}/${name}`, text));
  const machine = `${Deno.build.os} ${Deno.build.arch}, ${navigator.hardwareConcurrency} hardware threads, ` +
    `Deno ${Deno.version.deno}`;
  yield* write("compare.json", JSON.stringify({ format: 1, machine, settings, starts }, null, 1) + "\n");
  yield* write("compare.md", markdownTables(made));
  const page = `${folder}/compare.html`;
  const text = textTables(made);
  if (!withPage) return { text, page };
  beginPage();
  const drawn = [];
  for (const { spec, ...chart } of comparisonCharts(comparison, starts)) {
    const svg = yield* Effect.tryPromise({
      try: () => renderSpec(spec),
      catch: (error) => new FileError({ path: page, reason: `cannot draw "${chart.title}": ${error}` }),
    });
    drawn.push({ ...chart, svg });
  }
  const url = new URL("../report/style.css", import.meta.url);
  const style = yield* tryFile(url.pathname, () => Deno.readTextFileSync(url));
  yield* write("compare.html", comparisonPage({ comparison, machine, tables: made, drawn, style }));
  return { text, page };
});
