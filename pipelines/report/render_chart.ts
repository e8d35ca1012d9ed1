import { parse, View } from "vega";
import { compile, type TopLevelSpec } from "vega-lite";
import { type Chart, chartSpec } from "./chart_spec.ts";

/** Draws a chart as SVG, without a browser. */
export async function renderChart(chart: Chart): Promise<string> {
  const { spec } = compile(chartSpec(chart) as unknown as TopLevelSpec);
  const view = new View(parse(spec), { renderer: "none" });
  try {
    return await view.toSVG();
  } finally {
    view.finalize();
  }
}
