import { metricNames } from "../../metrics/metric_names.ts";
import type { LossRows } from "../loss.ts";
import { advantageAt, meanOverTokens } from "./_map_tokens.ts";

/** Shares of tokens whose clip is active (ratio beyond the bound that the advantage's sign pushes to), and KL(π_old‖π) by k1. */
export function clipMetrics(
  rows: LossRows,
  ratio: (i: number, t: number) => number,
  low: number,
  high: number,
): Record<string, number> {
  const isLow = (i: number, t: number) => Number(advantageAt(rows, i, t) < 0 && ratio(i, t) < low);
  const isHigh = (i: number, t: number) => Number(advantageAt(rows, i, t) > 0 && ratio(i, t) > high);
  const clippedLow = meanOverTokens(rows, isLow);
  const clippedHigh = meanOverTokens(rows, isHigh);
  return {
    [metricNames.clipFraction]: clippedLow + clippedHigh,
    [metricNames.clipFractionLow]: clippedLow,
    [metricNames.clipFractionHigh]: clippedHigh,
    [metricNames.ppoKl]: meanOverTokens(rows, (i, t) => rows.oldLogp[i][t] - rows.logp[i][t]),
  };
}
