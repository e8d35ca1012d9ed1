import type { Metrics, Scored } from "../record.ts";
import { ifAny, mean, std } from "./_mean.ts";
import { metricNames as names } from "./metric_names.ts";

/**
 * What retrying brought, pooled over all retries of the step (not averaged by task
 * first). Improvement rate = share of retries with R' > R, the reward of the attempt
 * that was retried (a base attempt or an earlier retry of it). Reward gain =
 * (mean R' − mean R) / mean R over all base attempts, where R' is the mean reward of
 * a base's retries, or R again if it asked for none: over retried bases alone mean R
 * is 0 whenever only failures are retried. Left out when mean R is 0; pairs in which
 * either reward is missing are not counted.
 */
export function retryMetrics(groups: readonly Scored[]): Metrics {
  const retries = groups.flatMap((g) => g.retries);
  const bases = groups.reduce((n, g) => n + g.attempts.length, 0);
  const pairs = groups.flatMap(pairsOf);
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
    ...ifAny(groups.flatMap(depthsOf), { [names.retryPivotFraction]: mean }),
    ...ifAny(retries.map((r) => Number(r.diverged)), { [names.stitchDivergenceRate]: mean }),
  };
}

/** Per retry with a reward: it and that of the attempt before it, if it has one. */
function pairsOf({ members, retries }: Scored): readonly { before: number; after: number; won: boolean }[] {
  const place = (attempt: number, order?: number) => `${attempt}/${order ?? "base"}`;
  const rewards = new Map(
    members.map(({ kind, attempt, order, reward }) =>
      [place(attempt, kind === "retry" ? order ?? 0 : undefined), reward] as const
    ),
  );
  return members.flatMap(({ kind, attempt, order = 0, reward, won }) => {
    if (kind !== "retry") return [];
    const parent = retries.find((r) => r.base === attempt && r.order === order)?.parent;
    const before = rewards.get(place(attempt, parent)) ?? null;
    return reward === null || before === null ? [] : [{ before, after: reward, won }];
  });
}

/** Per retry: its pivot as a share of the turns of the attempt that it restarts. */
function depthsOf({ attempts, retries }: Scored): readonly number[] {
  return retries.map(({ base, parent, pivot }) => {
    const restarted = parent === undefined
      ? attempts.find(({ index }) => index === base)
      : retries.find((retry) => retry.base === base && retry.order === parent)?.distilled;
    return pivot / Math.max(1, restarted?.turns.length ?? 1);
  });
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
