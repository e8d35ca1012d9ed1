import { metricNames } from "../../stages/metrics/metric_names.ts";
import type { Metrics } from "../../stages/record.ts";

/** Where a run stands in time. */
export interface Pace {
  readonly step: number;
  readonly totalSteps: number;
  /** Seconds of the last step. */
  readonly stepSeconds: number;
  /** Estimated seconds to the end. */
  readonly secondsLeft: number;
}

/** Widest line, in characters. */
const WIDTH = 80;

/** One line about a finished step, at most 80 columns: fields that do not fit are left out from the end. */
export function progressLine(metrics: Metrics, pace: Pace): string {
  const digits = String(pace.totalSteps).length;
  const number = (name: string) => {
    const value = metrics[name];
    return value === undefined || !Number.isFinite(value) ? undefined : value.toFixed(3);
  };
  const fields: [string, string | undefined][] = [
    // What is learned from a file earns no reward.
    metrics[metricNames.scoreMean] === undefined
      ? ["loss", number(metricNames.policyLoss)]
      : ["reward", number(metricNames.scoreMean)],
    ["retry+", number(metricNames.retryImprovementRate)],
    ["pivot", number(metricNames.retryPivotMean)],
    ["entropy", number(metricNames.entropy)],
  ];
  const parts = [
    `step ${String(pace.step).padStart(digits)}/${pace.totalSteps}`,
    ...fields.flatMap(([label, value]) => (value === undefined ? [] : [`${label} ${value}`])),
    `${pace.stepSeconds.toFixed(1)} s`,
    `${duration(pace.secondsLeft)} left`,
  ];
  let line = parts[0];
  for (const part of parts.slice(1)) {
    if (line.length + 2 + part.length <= WIDTH) line += `  ${part}`;
  }
  return line.slice(0, WIDTH);
}

/** `8 s`, `4 min 05 s` or `2 h 04 min`. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  const two = (n: number) => String(n).padStart(2, "0");
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${two(whole % 60)} s`;
  return `${Math.floor(whole / 3600)} h ${two(Math.floor(whole / 60) % 60)} min`;
}
