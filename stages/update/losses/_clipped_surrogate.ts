import type { LossRows, TokenLoss } from "../loss.ts";
import { clipMetrics } from "./_clip_metrics.ts";
import { advantageAt, clamp, mapTokens, ratioOf } from "./_map_tokens.ts";

/** PPO's per-token loss with absolute bounds of the ratio. */
export function clippedSurrogate(rows: LossRows, low: number, high: number, dualClip = Infinity): TokenLoss {
  const tokens = mapTokens(rows, (i, t) => {
    const a = advantageAt(rows, i, t);
    const r = ratioOf(rows, i, t);
    const free = -a * r;
    const clipped = -a * clamp(r, low, high);
    if (a < 0 && r > dualClip && dualClip < Infinity) return [-a * dualClip, 0];
    return clipped > free ? [clipped, 0] : [free, free];
  });
  return { ...tokens, metrics: clipMetrics(rows, (i, t) => ratioOf(rows, i, t), low, high) };
}
