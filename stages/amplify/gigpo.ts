import { isFlat, mean, standardDeviation } from "./_statistics.ts";

/** One episode: the state it was in before each turn, by name, and each turn's reward. */
export interface AnchoredEpisode {
  readonly anchors: readonly string[];
  readonly rewards: readonly number[];
}

/** Settings of {@link gigpo}. */
export interface GigpoOptions {
  /** Discount of the step returns. Default 0.95. */
  readonly gamma?: number;
  /** Weight of the step advantage. Default 1. */
  readonly weight?: number;
  /** Divide by the standard deviation (ddof 1, eps 1e-6) or not. Default `mean`. */
  readonly norm?: "mean" | "mean_std";
  /** Episode statistics count every episode once, or once a turn (long episodes weigh more). Default `episodes`. */
  readonly statistics?: "episodes" | "steps";
}

/**
 * Group-in-group advantages, one a turn (GiGPO, arXiv 2505.10978): the episode's
 * advantage in its task group + weight · the advantage of its discounted return
 * among all turns of the group that were in the same state. A state met once adds 0.
 */
export function gigpo(episodes: readonly AnchoredEpisode[], options: GigpoOptions = {}): number[][] {
  const { gamma = 0.95, weight = 1, norm = "mean", statistics = "episodes" } = options;
  const totals = episodes.map((e) => e.rewards.reduce((a, b) => a + b, 0));
  const counted = statistics === "episodes"
    ? totals
    : episodes.flatMap((e, i) => e.rewards.map(() => totals[i]));
  const episodeAdvantage = normalise(counted, norm);

  const returns = episodes.map((e) => {
    const out = [...e.rewards];
    for (let t = out.length - 2; t >= 0; t--) out[t] += gamma * out[t + 1];
    return out;
  });
  const byAnchor = new Map<string, number[]>();
  episodes.forEach((e, i) =>
    e.anchors.forEach((anchor, t) => {
      const group = byAnchor.get(anchor) ?? [];
      group.push(returns[i][t]);
      byAnchor.set(anchor, group);
    })
  );
  return episodes.map((e, i) =>
    e.anchors.map((anchor, t) => {
      const group = byAnchor.get(anchor) as number[];
      const step = group.length < 2 ? 0 : normalise(group, norm)(returns[i][t]);
      return episodeAdvantage(totals[i]) + weight * step;
    })
  );
}

function normalise(values: readonly number[], norm: "mean" | "mean_std"): (value: number) => number {
  if (isFlat(values)) return () => 0;
  const m = mean(values);
  const scale = norm === "mean" ? 1 : 1 / (standardDeviation(values, 1) + 1e-6);
  return (value) => (value - m) * scale;
}
