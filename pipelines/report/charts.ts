import { metricNames } from "../../stages/metrics/metric_names.ts";
import { parseEvalMetric, successSources } from "../evaluation/eval_metric.ts";
import type { Chart, ChartPoint } from "./chart_spec.ts";
import { type MetricsLine, SUPERVISED_LOSS } from "./read_run.ts";

/** The charts of a report, those without a single value left out. */
export function charts(lines: readonly MetricsLine[]): readonly Chart[] {
  const series = (named: Readonly<Record<string, string>>): readonly ChartPoint[] =>
    Object.entries(named).flatMap(([series, name]) =>
      lines.flatMap(({ step, values }) => name in values ? [{ step, series, value: values[name] }] : [])
    );
  const all: readonly Chart[] = [
    {
      title: "Held-out success",
      caption: "Share of held-out games won in one attempt, by sampling temperature.",
      points: evaluationPoints(lines),
      mark: "dots",
      range: [0, 1],
    },
    {
      title: "Loss",
      caption: "What supervised training minimises: of sft −log π, of dpo the preference loss.",
      points: series({ loss: SUPERVISED_LOSS }),
      mark: "line",
    },
    {
      title: "Reward while training",
      caption: "Mean reward of base attempts and retries, and success of base attempts.",
      points: series({ reward: metricNames.scoreMean, "base success": metricNames.success }),
      mark: "line",
      range: [0, 1],
    },
    {
      title: "Retry improvement rate",
      caption: "Share of retries with a higher reward than the attempt they restart.",
      points: series({ "improvement rate": metricNames.retryImprovementRate }),
      mark: "line",
      range: [0, 1],
    },
    {
      title: "Reward gain",
      caption: "What retrying adds to the mean reward of base attempts, as a fraction of it.",
      points: series({ "reward gain": metricNames.retryRewardGain }),
      mark: "line",
    },
    {
      title: "Pivot turn",
      caption: "Turn at which retries start over (from 0): mean and, as a band, one standard deviation.",
      points: pivotPoints(lines),
      mark: "line",
    },
    {
      title: "Reports and groups",
      caption: "Share of valid reports, and of groups whose rewards are all equal (nothing to learn from).",
      points: series({
        "valid reports": metricNames.diagnoseValidRate,
        "flat groups": metricNames.groupsFlat,
      }),
      mark: "line",
      range: [0, 1],
    },
    {
      title: "Entropy",
      caption: "Mean entropy of the next-token distribution at trained tokens, in nats.",
      points: series({ entropy: metricNames.entropy }),
      mark: "line",
    },
    {
      title: "Gradient norm",
      caption: "2-norm of the gradient before clipping.",
      points: series({ "gradient norm": metricNames.gradNorm }),
      mark: "line",
    },
    {
      title: "Time per stage",
      caption: "Seconds of each step by stage.",
      points: timePoints(lines),
      mark: "area",
    },
  ];
  return all.filter(({ points }) => points.length > 0);
}

function evaluationPoints(lines: readonly MetricsLine[]): readonly ChartPoint[] {
  const names = lines.flatMap(({ values }) => Object.keys(values));
  const sources = successSources(names);
  const points = lines.flatMap(({ step, values }) =>
    Object.entries(values).flatMap(([name, value]) => {
      const parsed = parseEvalMetric(name);
      if (parsed?.metric !== "success") return [];
      const { source, temperature } = parsed;
      return [{
        step,
        series: `${sources.size > 1 ? source : "temperature"} ${temperature}`,
        value,
        temperature,
      }];
    })
  );
  return points.sort((a, b) => b.temperature - a.temperature || a.step - b.step);
}

function pivotPoints(lines: readonly MetricsLine[]): readonly ChartPoint[] {
  return lines.flatMap(({ step, values }) => {
    const value = values[metricNames.retryPivotMean];
    const spread = values[metricNames.retryPivotStd] ?? 0;
    return value === undefined
      ? []
      : [{ step, series: "pivot", value, low: value - spread, high: value + spread }];
  });
}

/** Spans of a step in the order of the data; others lie inside them or outside of steps. */
const stages = ["sample", "diagnose", "stitch", "score", "mask", "amplify", "update"];

function timePoints(lines: readonly MetricsLine[]): readonly ChartPoint[] {
  return lines.filter(({ step }) => step > 0).flatMap(({ step, values }) =>
    stages.flatMap((stage) => {
      const value = values[`timing_s/${stage}`];
      return value === undefined ? [] : [{ step, series: stage, value }];
    })
  );
}
