import type { Amplified, Metrics } from "../record.ts";
import { ifAny, max, mean, min } from "./_mean.ts";
import { metricNames as names } from "./metric_names.ts";
import { diagnoseMetrics } from "./diagnose_metrics.ts";
import { reflectiveMetrics } from "./reflective_metrics.ts";
import { retryMetrics } from "./retry_metrics.ts";

/**
 * What the groups of one step say, before any update. Pure. Real members only; a
 * mean over nothing (no retries, no valid reports) is left out.
 */
export function groupMetrics(groups: readonly Amplified[]): Metrics {
  const members = groups.flatMap((g) => g.members);
  const rewarded = groups.flatMap((g) =>
    g.members.flatMap((m, i) =>
      m.reward === null
        ? []
        : [{ kind: m.kind, reward: m.reward, advantage: g.advantages[i], mask: g.trainMasks[i] }]
    )
  );
  // Nobody earned the rewards of a data file's rows.
  const earned = rewarded.filter((m) => m.kind !== "demonstration");
  const base = groups.flatMap((g) => g.attempts);
  // A retry's turns before its pivot are its base's.
  const played = [
    ...base.map((a) => a.turns),
    ...groups.flatMap((g) => g.retries.map((r) => r.distilled.turns.slice(r.pivot))),
  ];
  const isClipped = played.map((turns) => Number(turns.some((turn) => turn.stopReason !== "stop")));
  const lengths = members.map((m) => m.mask.reduce((a: number, b) => a + b, 0));
  const auxiliary = groups.flatMap((g) => g.auxiliary);

  return {
    ...ifAny(earned.map((m) => m.reward), {
      [names.scoreMean]: mean,
      [names.scoreMax]: max,
      [names.scoreMin]: min,
    }),
    ...ifAny(earned.map((m) => m.advantage), {
      [names.advantageMean]: mean,
      [names.advantageMax]: max,
      [names.advantageMin]: min,
    }),
    ...ifAny(rewarded.map((m) => Number(!m.mask.includes(1))), { [names.maskEmptyRate]: mean }),
    ...ifAny(base.filter((a) => a.reward !== null).map((a) => Number(a.won)), { [names.success]: mean }),
    ...ifAny(groups.map((g) => Number(g.flat)), { [names.groupsFlat]: mean }),
    ...ifAny(groups.map((g) => g.members.length), { [names.groupSizeMean]: mean }),
    ...ifAny(lengths, {
      [names.responseLengthMean]: mean,
      [names.responseLengthMax]: max,
      [names.responseLengthMin]: min,
    }),
    ...ifAny(isClipped, { [names.responseClipRatio]: mean }),
    ...ifAny(base.map((a) => a.turns.length), {
      [names.turnsMean]: mean,
      [names.turnsMax]: max,
      [names.turnsMin]: min,
    }),
    [names.failedAttempts]: members.length - rewarded.length,
    [names.auxiliaryReflectRows]: auxiliary.filter((row) => row.task === "reflect").length,
    [names.auxiliaryRetryRows]: auxiliary.filter((row) => row.task === "retry").length,
    ...reflectiveMetrics(groups),
    ...diagnoseMetrics(groups),
    ...retryMetrics(groups),
  };
}
