import { metricNames } from "../../metrics/metric_names.ts";
import type { Loss, LossOptions, LossRows, TokenLoss } from "../loss.ts";
import { clamp, mapTokens, meanOverTokens, ratioOf } from "../_map_tokens.ts";

/**
 * L = max(−A·r, −A·clip(r, 1 − clipLow, 1 + clipHigh)) with r = π/π_old (PPO,
 * arXiv 1707.06347; with 0.2/0.28 DAPO's clip-higher). With `dualClip` c and A < 0
 * the loss is at most −A·c. Where a clip is active the derivative is 0.
 */
export function ppo(options: LossOptions = {}): Loss {
  const { clipLow = 0.2, clipHigh = 0.2, dualClip } = options;
  return {
    needsLogprobs: true,
    aggregation: "token-mean",
    perToken: (rows) => clippedSurrogate(rows, 1 - clipLow, 1 + clipHigh, dualClip),
  };
}

/** PPO's per-token loss with absolute bounds of the ratio. */
export function clippedSurrogate(rows: LossRows, low: number, high: number, dualClip = Infinity): TokenLoss {
  const tokens = mapTokens(rows, (i, t) => {
    const a = rows.advantages[i];
    const r = ratioOf(rows, i, t);
    const free = -a * r;
    const clipped = -a * clamp(r, low, high);
    if (a < 0 && r > dualClip && dualClip < Infinity) return [-a * dualClip, 0];
    return clipped > free ? [clipped, 0] : [free, free];
  });
  return { ...tokens, metrics: clipMetrics(rows, (i, t) => ratioOf(rows, i, t), low, high) };
}

/** Shares of tokens whose clip is active (ratio beyond the bound that the advantage's sign pushes to), and KL(π_old‖π) by k1. */
export function clipMetrics(
  rows: LossRows,
  ratio: (i: number, t: number) => number,
  low: number,
  high: number,
): Record<string, number> {
  const isLow = (i: number, t: number) => Number(rows.advantages[i] < 0 && ratio(i, t) < low);
  const isHigh = (i: number, t: number) => Number(rows.advantages[i] > 0 && ratio(i, t) > high);
  const clippedLow = meanOverTokens(rows, isLow);
  const clippedHigh = meanOverTokens(rows, isHigh);
  return {
    [metricNames.clipFraction]: clippedLow + clippedHigh,
    [metricNames.clipFractionLow]: clippedLow,
    [metricNames.clipFractionHigh]: clippedHigh,
    [metricNames.ppoKl]: meanOverTokens(rows, (i, t) => rows.oldLogp[i][t] - rows.logp[i][t]),
  };
}
