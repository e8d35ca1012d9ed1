import * as vega from "vega";
import { compile, type TopLevelSpec } from "vega-lite";
import { type Chart, chartSpec } from "./chart_spec.ts";

/** Draws a chart as SVG, without a browser. */
export function renderChart(chart: Chart): Promise<string> {
  return renderSpec(chartSpec(chart));
}

/** Draws a Vega-Lite specification as SVG, without a browser. */
export async function renderSpec(specification: Readonly<Record<string, unknown>>): Promise<string> {
  const { spec } = compile(specification as unknown as TopLevelSpec);
  const view = new vega.View(vega.parse(spec), { renderer: "none" });
  try {
    return await view.toSVG();
  } finally {
    view.finalize();
  }
}

/** Begins a page: the ids of its charts' parts are then the same however many were drawn before. */
export function beginPage(): void {
  // The typings leave it out.
  (vega as unknown as { readonly resetSVGDefIds: () => void }).resetSVGDefIds();
}
