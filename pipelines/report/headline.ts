import { metricNames } from "../../stages/metrics/metric_names.ts";
import { parseEvalMetric, successSources } from "../evaluation/eval_metric.ts";
import { type MetricsLine, type Run, SUPERVISED_LOSS } from "./read_run.ts";
import { windowMeans } from "./window_means.ts";

/** A number before and after. */
export interface HeadlineRow {
  readonly label: string;
  readonly before: number;
  readonly after: number;
}

/** The numbers that a run is judged by. */
export interface Headline {
  /** Held-out evaluations: the first and the last of each. */
  readonly evaluations: readonly HeadlineRow[];
  /** While training: means over the first and the last ten steps. */
  readonly training: readonly HeadlineRow[];
  readonly steps: number;
  /** Seconds of all steps, evaluations and checkpoints. */
  readonly seconds: number;
  /** Tokens per second of the whole run; undefined if they were not counted. */
  readonly throughput: number | undefined;
}

const trainingRows: readonly (readonly [label: string, metric: string])[] = [
  ["loss", SUPERVISED_LOSS],
  ["mean reward", metricNames.scoreMean],
  ["retry improvement rate", metricNames.retryImprovementRate],
  ["reward gain", metricNames.retryRewardGain],
  ["valid reports", metricNames.diagnoseValidRate],
  ["pivot (turn)", metricNames.retryPivotMean],
  ["entropy (nats/token)", metricNames.entropy],
];

/** Headline numbers of a run, finished or not. */
export function headline({ metrics }: Pick<Run, "metrics">): Headline {
  const sum = (name: string) => metrics.reduce((total, { values }) => total + (values[name] ?? 0), 0);
  const tokens = sum("perf/total_num_tokens");
  const stepSeconds = sum("timing_s/step");
  return {
    evaluations: evaluationRows(metrics),
    training: trainingRows.flatMap(([label, name]) => {
      const means = windowMeans(metrics, name);
      return means === undefined ? [] : [{ label, before: means.first, after: means.last }];
    }),
    steps: metrics.reduce((most, { step }) => Math.max(most, step), 0),
    seconds: stepSeconds + sum("timing_s/eval") + sum("timing_s/checkpoint"),
    throughput: tokens > 0 && stepSeconds > 0 ? tokens / stepSeconds : undefined,
  };
}

function evaluationRows(metrics: readonly MetricsLine[]): readonly HeadlineRow[] {
  const names = [...new Set(metrics.flatMap(({ values }) => Object.keys(values)))];
  const sources = successSources(names);
  return names.flatMap((name) => {
    const parsed = parseEvalMetric(name);
    if (parsed?.metric !== "success") return [];
    const values = metrics.flatMap(({ values }) => values[name] ?? []);
    return [{
      label: `${sources.size > 1 ? parsed.source : "held-out success"}, temperature ${parsed.temperature}`,
      before: values[0],
      after: values[values.length - 1],
      temperature: parsed.temperature,
    }];
  }).sort((a, b) => b.temperature - a.temperature);
}
