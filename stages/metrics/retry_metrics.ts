import type { Metrics, Scored } from "../record.ts";
import { ifAny, mean, std } from "./_mean.ts";
import { metricNames as names } from "./metric_names.ts";

/**
 * What retrying brought, pooled over all retries of the step (not averaged by task
 * first). Improvement rate = share of retries with R' > R. Reward gain =
 * (mean R' − mean R) / mean R over all base attempts, where R' is the mean reward of
 * a base's retries, or R again if it asked for none: over retried bases alone mean R
 * is 0 whenever only failures are retried. Left out when mean R is 0; pairs in which
 * either reward is missing are not counted.
 */
export function retryMetrics(groups: readonly Scored[]): Metrics {
  const retries = groups.flatMap((g) => g.retries);
  const bases = groups.reduce((n, g) => n + g.attempts.length, 0);
  const pairs = groups.flatMap((g) => {
    const base = new Map(g.members.filter((m) => m.kind === "base").map((m) => [m.attempt, m.reward]));
    return g.members.flatMap((m) => {
      const before = base.get(m.attempt) ?? null;
      return m.kind !== "retry" || m.reward === null || before === null
        ? []
        : [{ before, after: m.reward, won: m.won }];
    });
  });
  const depth = groups.flatMap((g) => {
    const turns = new Map(g.attempts.map((a) => [a.index, a.turns.length]));
    return g.retries.map((r) => r.pivot / Math.max(1, turns.get(r.base) ?? 1));
  });
  const outcomes = groups.flatMap(outcomesOf);
  const before = outcomes.length === 0 ? 0 : mean(outcomes.map((o) => o.before));
  return {
    [names.retryCount]: retries.length,
    ...(bases === 0 ? {} : { [names.retryPerBase]: retries.length / bases }),
    ...ifAny(pairs.map((p) => Number(p.after > p.before)), { [names.retryImprovementRate]: mean }),
    ...ifAny(pairs.map((p) => Number(p.won)), { [names.retrySuccess]: mean }),
    ...ifAny(pairs.map((p) => p.after), { [names.retryReward]: mean }),
    ...ifAny(pairs.map((p) => p.after - p.before), { [names.retryRewardDiff]: mean }),
    ...(before === 0
      ? {}
      : { [names.retryRewardGain]: mean(outcomes.map((o) => o.after - o.before)) / before }),
    ...ifAny(retries.map((r) => r.pivot), { [names.retryPivotMean]: mean, [names.retryPivotStd]: std }),
    ...ifAny(depth, { [names.retryPivotFraction]: mean }),
    ...ifAny(retries.map((r) => Number(r.diverged)), { [names.stitchDivergenceRate]: mean }),
  };
}

/** Per base attempt with a reward: its own, and what its retries made of it. */
function outcomesOf({ members }: Scored): readonly { readonly before: number; readonly after: number }[] {
  return members.flatMap(({ kind, attempt, reward }) => {
    if (kind !== "base" || reward === null) return [];
    const retried = members.flatMap((m) =>
      m.kind === "retry" && m.attempt === attempt && m.reward !== null ? [m.reward] : []
    );
    return [{ before: reward, after: retried.length === 0 ? reward : mean(retried) }];
  });
}
