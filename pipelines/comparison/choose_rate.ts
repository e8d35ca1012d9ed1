import { meanSuccess } from "./curve.ts";
import type { RunResult } from "./run_result.ts";

/** What the search says about one learning rate. */
export interface TriedRate {
  readonly rate: number;
  /** Mean held-out success over the search's budget, averaged over its seeds; null if a run failed. */
  readonly score: number | null;
}

/** A search of one entry from one start. */
export interface RateSearch {
  readonly tried: readonly TriedRate[];
  readonly chosen: number | undefined;
  /** Whether the best rate is the smallest or the largest that was tried. */
  readonly atEdge: boolean;
  readonly tokens: number;
  /** Seconds of training and evaluation. */
  readonly seconds: number;
}

/**
 * The rate with the highest mean success over the search's budget, the smaller one of
 * equals. A rate counts only if the runs of all `seeds` finished.
 */
export function chooseRate(
  results: readonly RunResult[],
  { rates, seeds, tokens }: {
    readonly rates: readonly number[];
    readonly seeds: readonly number[];
    readonly tokens: number;
  },
): RateSearch {
  const sum = (f: (result: RunResult) => number) => results.reduce((total, result) => total + f(result), 0);
  const cost = { tokens: sum((r) => r.tokens), seconds: sum((r) => r.seconds + r.evalSeconds) };
  const sorted = [...rates].sort((a, b) => a - b);
  if (sorted.length === 1) return { tried: [], chosen: sorted[0], atEdge: false, ...cost };
  const tried = sorted.map((rate): TriedRate => {
    const runs = results.filter((result) => result.rate === rate);
    const scores = runs.map(({ curve }) => meanSuccess(curve, "tokens", tokens));
    return {
      rate,
      score: runs.length < seeds.length ? null : scores.reduce((a, b) => a + b, 0) / runs.length,
    };
  });
  const best = tried.reduce<TriedRate | undefined>(
    (best, next) => next.score !== null && next.score > (best?.score ?? -Infinity) ? next : best,
    undefined,
  );
  const atEdge = best !== undefined && (best === tried[0] || best === tried[tried.length - 1]);
  return { tried, chosen: best?.rate, atEdge, ...cost };
}
