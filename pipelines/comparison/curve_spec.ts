import type { Axis } from "./curve.ts";

/** A point of a curve: of one seed, or of the mean where `seed` is absent. */
export interface CurveRow {
  /** Thousands of tokens, or seconds. */
  readonly x: number;
  readonly y: number;
  readonly name: string;
  readonly seed?: number;
  readonly low?: number;
  readonly high?: number;
}

const palette = [
  ...["#2563eb", "#d97706", "#059669", "#9333ea", "#dc2626", "#0891b2"],
  ...["#65a30d", "#be185d", "#7c5a36", "#475569", "#000000", "#eab308"],
];

/** Curves from the seventh on are dashed, so that one that lies on another shows. */
const dash = (i: number) => i < 6 ? [1, 0] : [6, 4];

/** The Vega-Lite specification of success curves. */
export function curveSpec({ rows, axis, names, size }: {
  readonly rows: readonly CurveRow[];
  readonly axis: Axis;
  /** In the order of the legend. */
  readonly names: readonly string[];
  readonly size: "wide" | "small";
}): Record<string, unknown> {
  const small = size === "small";
  const title = axis === "tokens" ? "generated tokens, thousands" : "seconds of training";
  const x = { field: "x", type: "quantitative", title, axis: { grid: false } };
  const y = { field: "y", type: "quantitative", title: null, scale: { domain: [0, 1] } };
  const range = small ? ["#2563eb", "#8b949e"] : names.map((_, i) => palette[i % palette.length]);
  const byName = (range: readonly unknown[]) => ({
    field: "name",
    type: "nominal",
    scale: { domain: names, range },
    legend: {
      title: null,
      orient: small ? "top" : "right",
      symbolOpacity: 1,
      symbolStrokeWidth: 3,
      ...(small ? {} : { symbolType: "stroke", symbolSize: 400 }),
      labelLimit: 300,
    },
  });
  const color = byName(range);
  const strokeDash = byName(names.map((_, i) => dash(i)));
  const isMean = "!isValid(datum.seed)";
  const band = {
    transform: [{ filter: `${isMean} && isValid(datum.low)` }],
    mark: { type: "area", opacity: 0.15 },
    encoding: { x, y: { ...y, field: "low" }, y2: { field: "high" }, color },
  };
  const seeds = {
    transform: [{ filter: `!(${isMean})` }],
    mark: { type: "line", strokeWidth: 0.8, opacity: 0.5 },
    encoding: { x, y, color, detail: { field: "seed", type: "nominal" } },
  };
  const means = {
    transform: [{ filter: isMean }],
    mark: { type: "line", strokeWidth: 2.25 },
    encoding: { x, y, color, ...(small ? {} : { strokeDash }) },
  };
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    ...(small ? { width: 330, height: 180 } : { width: 900, height: 380 }),
    data: { values: rows },
    layer: small ? [band, seeds, means] : [means],
    config: {
      background: "transparent",
      font: "system-ui, sans-serif",
      view: { stroke: null },
      axis: { labelColor: "#57606a", titleColor: "#57606a", gridColor: "#eaeef2", domainColor: "#d0d7de" },
    },
  };
}
