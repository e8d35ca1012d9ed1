import type { Amplified, Metrics } from "../record.ts";
import { metricNames } from "./metric_names.ts";

/**
 * How many optimiser steps old the policy was that sampled what step `step`
 * (1-based) trains on: 0 = on-policy.
 */
export function staleness(groups: readonly Amplified[], step: number): Metrics {
  const lags = groups.flatMap((group) => [
    ...group.attempts.map((a) => step - 1 - a.version),
    ...group.retries.map((r) => step - 1 - r.distilled.version),
  ]);
  if (lags.length === 0) return {};
  return {
    [metricNames.stalenessMean]: lags.reduce((a, b) => a + b, 0) / lags.length,
    [metricNames.stalenessMax]: Math.max(...lags),
  };
}
