import { Effect } from "effect";
import { FileError } from "../../stages/errors.ts";
import { tryFile } from "../run_folder/try_file.ts";
import { writeAtomic } from "../run_folder/write_atomic.ts";
import { charts } from "./charts.ts";
import { type DrawnChart, page } from "./page.ts";
import { readRun } from "./read_run.ts";
import { renderChart } from "./render_chart.ts";

/** Builds `report.html` of a run folder from its files and returns its path. */
export function writeReport(folder: string): Effect.Effect<string, FileError> {
  return Effect.gen(function* () {
    const run = yield* readRun(folder);
    const path = `${folder}/report.html`;
    const drawn: DrawnChart[] = [];
    for (const chart of charts(run.metrics)) {
      const svg = yield* Effect.tryPromise({
        try: () => renderChart(chart),
        catch: (error) => new FileError({ path, reason: `cannot draw "${chart.title}": ${error}` }),
      });
      drawn.push({ title: chart.title, caption: chart.caption, svg });
    }
    const assets = { style: yield* asset("style.css"), script: yield* asset("reader.js") };
    yield* tryFile(path, () => writeAtomic(path, page(run, drawn, assets)));
    return path;
  });
}

function asset(name: string): Effect.Effect<string, FileError> {
  const url = new URL(name, import.meta.url);
  return tryFile(url.pathname, () => Deno.readTextFileSync(url));
}
