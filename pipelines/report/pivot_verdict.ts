import { metricNames } from "../../stages/metrics/metric_names.ts";
import type { MetricsLine } from "./read_run.ts";
import { windowMeans } from "./window_means.ts";

/** Whether reflections still choose where to retry. */
export interface PivotVerdict {
  readonly state: "kept" | "collapsed" | "unknown";
  /** One sentence with the numbers. */
  readonly text: string;
}

/**
 * A pivot has collapsed when every retry starts at about the same turn or they
 * all moved to the front: at the end of the run (means over its last ten steps
 * with retries) the spread is below a quarter of a turn, or the mean is below a
 * third of what it was in the first ten. An early pivot leaves a retry more
 * turns, so verified corrections alone pull it there.
 */
export function pivotVerdict(lines: readonly MetricsLine[]): PivotVerdict {
  const mean = windowMeans(lines, metricNames.retryPivotMean);
  const spread = windowMeans(lines, metricNames.retryPivotStd);
  const steps = lines.filter(({ values }) => metricNames.retryPivotMean in values).length;
  if (mean === undefined || spread === undefined || steps < 4) {
    return { state: "unknown", text: "Pivot: too few steps with retries to tell whether it collapsed." };
  }
  const collapsed = spread.last < 0.25 || mean.last < mean.first / 3;
  const numbers = `mean turn ${mean.first.toFixed(2)} to ${mean.last.toFixed(2)}, ` +
    `spread ${spread.first.toFixed(2)} to ${spread.last.toFixed(2)} turns`;
  return collapsed
    ? { state: "collapsed", text: `Pivot: collapsed (${numbers}).` }
    : { state: "kept", text: `Pivot: no collapse (${numbers}).` };
}
