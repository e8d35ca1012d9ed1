/** Settings of {@link overlongPenalty}, in tokens. */
export interface OverlongOptions {
  /** Longest response. */
  readonly limit: number;
  /** Width of the ramp below the limit; > 0. */
  readonly cache: number;
  /** Penalty at and beyond the limit. Default 1. */
  readonly factor?: number;
}

/**
 * Soft overlong punishment (DAPO, arXiv 2503.14476, equation 13), added to the
 * reward: 0 up to limit − cache tokens, then linearly down to −factor at the limit.
 */
export function overlongPenalty(length: number, options: OverlongOptions): number {
  const { limit, cache, factor = 1 } = options;
  const over = length - (limit - cache);
  return over <= 0 ? 0 : -factor * Math.min(1, over / cache);
}
