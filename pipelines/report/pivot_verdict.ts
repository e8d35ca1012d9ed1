import { metricNames } from "../../stages/metrics/metric_names.ts";
import type { MetricsLine } from "./read_run.ts";

/** Whether reflections still choose where to retry. */
export interface PivotVerdict {
  readonly state: "kept" | "collapsed" | "unknown";
  /** One sentence with the numbers. */
  readonly text: string;
}

/**
 * A pivot has collapsed when every retry starts at about the same turn or they
 * all moved to the front: over the last ten steps with retries the spread is below
 * a quarter of a turn, or the mean is below a third of what it was in the first
 * ten. An early pivot leaves a retry more turns, so verified corrections alone
 * pull it there. Retries are pooled over the steps: a late step has few. Where all started
 * at the first turn from the beginning, as on single questions, nothing can collapse.
 */
export function pivotVerdict(lines: readonly MetricsLine[]): PivotVerdict {
  const steps = lines.filter(({ values }) => metricNames.retryPivotMean in values);
  if (steps.length === 0 && lines.some(({ step }) => step > 0)) {
    return { state: "unknown", text: "Pivot: no retries." };
  }
  if (steps.length < 4) {
    return { state: "unknown", text: "Pivot: too few steps with retries to tell whether it collapsed." };
  }
  const width = Math.min(10, Math.floor(steps.length / 2));
  const [first, last] = [pooled(steps.slice(0, width)), pooled(steps.slice(-width))];
  const numbers = `mean turn ${first.mean.toFixed(2)} to ${last.mean.toFixed(2)}, ` +
    `spread ${first.spread.toFixed(2)} to ${last.spread.toFixed(2)} turns`;
  if (first.mean === 0 && last.mean === 0) {
    return { state: "unknown", text: "Pivot: always the first turn." };
  }
  return last.spread < 0.25 || last.mean < first.mean / 3
    ? { state: "collapsed", text: `Pivot: collapsed (${numbers}).` }
    : { state: "kept", text: `Pivot: no collapse (${numbers}).` };
}

/** Mean and standard deviation over the retries of several steps, from each step's own. */
function pooled(steps: readonly MetricsLine[]): { readonly mean: number; readonly spread: number } {
  let count = 0, sum = 0, squares = 0;
  for (const { values } of steps) {
    const n = values[metricNames.retryCount] ?? 1;
    const mean = values[metricNames.retryPivotMean];
    const std = values[metricNames.retryPivotStd] ?? 0;
    count += n;
    sum += n * mean;
    squares += n * (std * std + mean * mean);
  }
  const mean = sum / count;
  return { mean, spread: Math.sqrt(Math.max(0, squares / count - mean * mean)) };
}
