import { parse } from "@std/yaml";
import { Effect } from "effect";
import { FileError } from "../../stages/errors.ts";
import { metricNames } from "../../stages/metrics/metric_names.ts";
import type { AttemptRecord } from "../run_folder/attempt_record.ts";
import { parseJsonl } from "../run_folder/truncate_jsonl.ts";
import { tryFile } from "../run_folder/try_file.ts";

/** Name under which the loss of a supervised run is shown. */
export const SUPERVISED_LOSS = "loss";

/** One line of metrics.jsonl; values that are no finite numbers are absent. */
export interface MetricsLine {
  readonly step: number;
  readonly values: Readonly<Record<string, number>>;
}

/** What a run folder tells. */
export interface Run {
  readonly folder: string;
  /** `config.yaml` as it is. */
  readonly configText: string;
  /** `algorithm.name`, `task.environment` and `trainer.seed` in words. */
  readonly title: string;
  /** An evaluation's folder holds no training: line 0 is the policy before or the only one, line 1 the one after. */
  readonly isEvaluation: boolean;
  readonly metrics: readonly MetricsLine[];
  readonly attempts: readonly AttemptRecord[];
}

/** Reads a run folder; fails with FileError if it is none or a file in it is foreign. A torn last line is left out. */
export function readRun(folder: string): Effect.Effect<Run, FileError> {
  return Effect.gen(function* () {
    const configPath = `${folder}/config.yaml`;
    const configText = yield* tryFile(configPath, () => Deno.readTextFileSync(configPath));
    const isEvaluation = yield* tryFile(folder, () => isFile(`${folder}/evaluation.yaml`));
    const config = yield* tryFile(configPath, () => parse(configText) as ConfigTree);
    const title = titleOf(config, isEvaluation);
    const supervised = ["sft", "dpo"].includes(String(config?.algorithm?.name));
    const read = withoutRetries(yield* readMetrics(folder));
    const metrics = supervised ? read.map(withLoss) : read;
    const attemptsPath = `${folder}/attempts.jsonl`;
    const attempts = yield* tryFile(
      attemptsPath,
      () => readLines(attemptsPath).map((line, i) => attemptLine(line, attemptsPath, i)),
    );
    return { folder, configText, title, isEvaluation, metrics, attempts };
  });
}

/** The metrics of a run folder, none if it has not written any; a torn last line is left out. */
export function readMetrics(folder: string): Effect.Effect<readonly MetricsLine[], FileError> {
  const path = `${folder}/metrics.jsonl`;
  return tryFile(path, () => readLines(path).map(metricsLine));
}

type ConfigTree = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>> | null;

function titleOf(config: ConfigTree, isEvaluation: boolean): string {
  if (isEvaluation) return `evaluation of ${config?.policy?.path}`;
  return `${config?.algorithm?.name} on ${config?.task?.environment}, seed ${config?.trainer?.seed}`;
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

function readLines(path: string): readonly Record<string, unknown>[] {
  try {
    return parseJsonl(path, Deno.readTextFileSync(path)).map(({ text }) => JSON.parse(text));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

function metricsLine({ step, ...rest }: Record<string, unknown>): MetricsLine {
  const finite = Object.entries(rest).filter((entry): entry is [string, number] => Number.isFinite(entry[1]));
  return { step: step as number, values: Object.fromEntries(finite) };
}

function attemptLine(line: Record<string, unknown>, path: string, index: number): AttemptRecord {
  const { members, diagnoses, retries, task } = line as Partial<AttemptRecord>;
  const whole = typeof task?.id === "string" && Array.isArray(diagnoses) && Array.isArray(retries) &&
    Array.isArray(members) &&
    members.every((member) => Array.isArray(member?.tokens) && member.tokens.every(Array.isArray));
  if (!whole) throw new FileError({ path, reason: `line ${index + 1} is no record of attempts` });
  return line as unknown as AttemptRecord;
}

/** The loss says something where it is no difference to the group's mean. */
function withLoss({ step, values }: MetricsLine): MetricsLine {
  const loss = values[metricNames.policyLoss];
  return { step, values: loss === undefined ? values : { ...values, [SUPERVISED_LOSS]: loss } };
}

/** A run that never retried (a method without retries) has nothing to say about them. */
function withoutRetries(lines: readonly MetricsLine[]): readonly MetricsLine[] {
  if (!lines.some(({ values }) => metricNames.retryCount in values)) return lines;
  if (lines.some(({ values }) => values[metricNames.retryCount] > 0)) return lines;
  const kept = (values: MetricsLine["values"]) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !name.startsWith("retry/")));
  return lines.map(({ step, values }) => ({ step, values: kept(values) }));
}
