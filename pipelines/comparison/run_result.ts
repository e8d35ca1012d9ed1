import { Schema } from "effect";
import { evalMetric } from "../evaluation/eval_metric.ts";
import type { MetricsLine } from "../report/read_run.ts";
import type { RunSpec } from "./comparison.ts";

const Measured = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0));
const Counted = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0));

/** A held-out evaluation of a run. */
export const CurvePoint = Schema.Struct({
  step: Counted,
  /** Tokens generated until then, counted by the policy service. */
  tokens: Measured,
  /** Seconds of training until then, evaluations aside. */
  seconds: Measured,
  /** Share of held-out tasks that succeed in one attempt. */
  success: Measured.check(Schema.isLessThanOrEqualTo(1)),
});
/** What {@link CurvePoint} decodes to. */
export type CurvePoint = typeof CurvePoint.Type;

/** `result.json` of a finished run. */
export const RunResult = Schema.Struct({
  format: Schema.Literal(1),
  phase: Schema.Literals(["search", "run"]),
  start: Schema.String,
  entry: Schema.String,
  rate: Schema.Finite,
  seed: Schema.Int,
  steps: Counted,
  tokens: Measured,
  seconds: Measured,
  /** Seconds that processors worked in `seconds`, over all threads; absent in results of before they were counted. */
  processorSeconds: Schema.optionalKey(Measured),
  evalSeconds: Measured,
  /** Seconds by stage; `other` is what of `seconds` no stage took. */
  split: Schema.Record(Schema.String, Schema.Finite),
  curve: Schema.Array(CurvePoint).check(Schema.isMinLength(1)),
  /** SHA-256 of the run's config.yaml; absent in results of before it was kept. */
  config: Schema.optionalKey(Schema.String),
});
/** What {@link RunResult} decodes to. */
export type RunResult = typeof RunResult.Type;

const worked = "perf/processor_seconds";
const decode = Schema.decodeUnknownSync(RunResult);

/** Stages whose time is told apart, in the order of the data. */
export const timedStages = ["sample", "diagnose", "stitch", "score", "mask", "amplify", "update"] as const;

/** What the metrics of a run say about its cost and its success. */
export function runResult(
  { config, phase, start, entry, rate, seed }: RunSpec,
  lines: readonly MetricsLine[],
  configHash: string,
): RunResult {
  const metric = evalMetric(config.task.environment, "success", config.eval.temperatures[0]);
  let [tokens, seconds, processorSeconds, evalSeconds] = [0, 0, 0, 0];
  let isCounted = true;
  const split: Record<string, number> = Object.fromEntries(timedStages.map((stage) => [stage, 0]));
  const curve: CurvePoint[] = [];
  for (const { step, values } of lines) {
    tokens += values["rollout/generated_tokens"] ?? 0;
    seconds += values["perf/time_per_step"] ?? 0;
    processorSeconds += values[worked] ?? 0;
    isCounted &&= step === 0 || values[worked] !== undefined;
    evalSeconds += values["timing_s/eval"] ?? 0;
    for (const stage of timedStages) split[stage] += values[`timing_s/${stage}`] ?? 0;
    if (values[metric] !== undefined) curve.push({ step, tokens, seconds, success: values[metric] });
  }
  const staged = timedStages.reduce((sum, stage) => sum + split[stage], 0);
  // Decoded as it is when it is read again, so that the order of its keys is the same.
  return decode({
    format: 1,
    ...{ phase, start, entry, rate, seed, tokens, seconds, evalSeconds, curve },
    ...(isCounted ? { processorSeconds } : {}),
    config: configHash,
    steps: lines.reduce((most, { step }) => Math.max(most, step), 0),
    split: { ...split, other: Math.max(0, seconds - staged) },
  });
}
