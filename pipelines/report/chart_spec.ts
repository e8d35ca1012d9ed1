/** One point of a chart in long form. */
export interface ChartPoint {
  readonly step: number;
  readonly series: string;
  readonly value: number;
  /** A band around the value. */
  readonly low?: number;
  readonly high?: number;
}

/** What a chart shows. */
export interface Chart {
  readonly title: string;
  /** What one sees, in one sentence. */
  readonly caption: string;
  readonly points: readonly ChartPoint[];
  /** `line` draws the values pale and their running mean bold; `dots` joins few values; `area` stacks. */
  readonly mark: "line" | "dots" | "area";
  /** Fixed range of the vertical axis. */
  readonly range?: readonly [number, number];
}

const palette = ["#2563eb", "#d97706", "#059669", "#9333ea", "#dc2626", "#0891b2", "#65a30d", "#be185d"];

/** The Vega-Lite specification of a chart. */
export function chartSpec({ points, mark, range }: Chart): Record<string, unknown> {
  const scale = range === undefined ? { zero: mark === "area", nice: true } : { domain: range };
  const x = { field: "step", type: "quantitative", title: "step", axis: { tickMinStep: 1, grid: false } };
  const y = { field: "value", type: "quantitative", title: null, scale };
  const names = [...new Set(points.map(({ series }) => series))];
  const color = {
    field: "series",
    type: "nominal",
    scale: { domain: names, range: names.map((_, i) => palette[i % palette.length]) },
    legend: names.length > 1
      ? { title: null, orient: "top", columns: 4, symbolOpacity: 1, symbolStrokeWidth: 2.5 }
      : null,
  };
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    width: 380,
    height: 180,
    data: { values: points },
    layer: layers(mark, points, x, y, color),
    config: {
      background: "transparent",
      font: "system-ui, sans-serif",
      view: { stroke: null },
      axis: { labelColor: "#57606a", titleColor: "#57606a", gridColor: "#eaeef2", domainColor: "#d0d7de" },
    },
  };
}

function layers(
  mark: Chart["mark"],
  points: readonly ChartPoint[],
  x: unknown,
  y: Record<string, unknown>,
  color: unknown,
): readonly unknown[] {
  if (mark === "area") {
    return [{ mark: { type: "area", opacity: 0.85 }, encoding: { x, y: { ...y, stack: true }, color } }];
  }
  if (mark === "dots") {
    return [{
      mark: { type: "line", point: { size: 45, filled: true }, strokeWidth: 2 },
      encoding: { x, y, color },
    }];
  }
  const band = {
    mark: { type: "area", opacity: 0.15 },
    encoding: { x, y: { ...y, field: "low" }, y2: { field: "high" }, color },
  };
  return [
    ...(points.some(({ low }) => low !== undefined) ? [band] : []),
    { mark: { type: "line", opacity: 0.3, strokeWidth: 1 }, encoding: { x, y, color } },
    {
      transform: [{
        window: [{ op: "mean", field: "value", as: "mean" }],
        frame: [-4, 4],
        groupby: ["series"],
        sort: [{ field: "step" }],
      }],
      mark: { type: "line", strokeWidth: 2.25 },
      encoding: { x, y: { ...y, field: "mean" }, color },
    },
  ];
}
