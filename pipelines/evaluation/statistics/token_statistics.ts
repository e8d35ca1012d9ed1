/** Lengths and repetition of texts, in tokens; NaN without texts. */
export interface TokenStatistics {
  readonly count: number;
  readonly mean: number;
  readonly median: number;
  /** 95th percentile: the smallest length that 95 % do not exceed. */
  readonly p95: number;
  /** Mean share of distinct ones among a text's runs of four tokens: 1 = nothing repeats. */
  readonly distinct4: number;
}

/** Statistics of texts, each a list of token ids. */
export function tokenStatistics(texts: readonly (readonly number[])[]): TokenStatistics {
  const lengths = texts.map((ids) => ids.length).sort((a, b) => a - b);
  const n = lengths.length;
  const shares = texts.flatMap(distinctShare);
  return {
    count: n,
    mean: mean(lengths),
    median: n === 0 ? NaN : (lengths[(n - 1) >> 1] + lengths[n >> 1]) / 2,
    p95: n === 0 ? NaN : lengths[Math.ceil(0.95 * n) - 1],
    distinct4: mean(shares),
  };
}

function distinctShare(ids: readonly number[]): readonly number[] {
  const runs = ids.slice(3).map((_, i) => ids.slice(i, i + 4).join(","));
  return runs.length === 0 ? [] : [new Set(runs).size / runs.length];
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? NaN : values.reduce((a, b) => a + b, 0) / values.length;
}
