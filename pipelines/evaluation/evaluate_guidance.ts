import { Effect } from "effect";
import { Environment, type ExpertDiagnosis } from "../../envs/env.ts";
import { diagnoseGroups, type DiagnoseOptions } from "../../stages/diagnose/diagnose_groups.ts";
import { Policy } from "../../stages/policy/policy.ts";
import type { Diagnosed, DiagnosedAttempt, Report, Retry, TaskAt } from "../../stages/record.ts";
import { sampleGroups } from "../../stages/sample/sample_groups.ts";
import { seedPath } from "../../stages/seed.ts";
import { stitchGroups, type StitchOptions } from "../../stages/stitch/stitch_groups.ts";
import type { EvaluateOptions } from "./evaluate_success.ts";

/** Whose advice guides the retry: the policy's, an expert's, nobody's, or another episode's. */
export type GuidanceSource = "own" | "oracle" | "none" | "shuffled";

/** How well reports are written and how much they help. */
export interface GuidanceReport {
  readonly source: GuidanceSource;
  readonly tasks: number;
  readonly baseSuccess: number;
  /** Share of attempts with a valid report. */
  readonly validReports: number;
  /** Share of valid reports whose claim (success or not) is true. */
  readonly outcomeRight: number;
  /** Share of failed attempts whose suggestion is the expert's; NaN without an expert. */
  readonly suggestionRight: number;
  /** Share of failed attempts whose pivot is the expert's; NaN without an expert. */
  readonly pivotRight: number;
  readonly retries: number;
  /** Share of retries that succeed, over failed attempts whose report says so. */
  readonly retrySuccess: number;
}

/** Settings of the three stages. */
export interface GuidanceOptions {
  readonly play: EvaluateOptions;
  readonly diagnose: DiagnoseOptions;
  readonly stitch: StitchOptions;
}

interface Judged {
  readonly attempt: DiagnosedAttempt;
  readonly expert: ExpertDiagnosis | undefined;
}

/** One attempt, one report, one retry a task, with guidance from `source`. */
export const evaluateGuidance = Effect.fn("eval guidance")(
  function* (tasks: readonly TaskAt[], source: GuidanceSource, options: GuidanceOptions) {
    const policy = yield* Policy;
    const environment = yield* Environment;
    const judged: Judged[] = [];
    const retries: Retry[] = [];
    for (let i = 0; i < tasks.length; i += options.play.batch) {
      const sampled = yield* sampleGroups(tasks.slice(i, i + options.play.batch), {
        ...options.play,
        attempts: 1,
        seed: seedPath("guidance", options.play.seed),
      });
      const diagnosed = yield* diagnoseGroups(sampled, options.diagnose);
      const now = diagnosed.map(({ task, attempts: [attempt] }): Judged => ({
        attempt,
        expert: environment.expert?.(task, attempt.firstObservation, attempt.turns, attempt.feedback),
      }));
      judged.push(...now);
      const failed = diagnosed.flatMap((
        group,
        j,
      ) => (retryable(now[j].attempt) ? [{ group, judged: now[j] }] : []));
      const guided = failed.map(({ group, judged }, j): Diagnosed => ({
        ...group,
        attempts: [withGuidance(judged, source, failed[(j + 1) % failed.length].judged)],
      }));
      const stitched = yield* stitchGroups(guided, options.stitch);
      retries.push(...stitched.flatMap((group) => group.retries));
      yield* policy.release();
    }
    return summarise(source, judged, retries);
  },
);

/** A failed attempt whose own report says that it failed. */
function retryable(attempt: DiagnosedAttempt): boolean {
  const outcome = attempt.diagnosis.report?.trajectory_outcome;
  return !attempt.won && outcome !== undefined && outcome !== "success";
}

function withGuidance({ attempt, expert }: Judged, source: GuidanceSource, other: Judged): DiagnosedAttempt {
  const report = attempt.diagnosis.report!;
  const change: Partial<Report> = source === "own"
    ? {}
    : source === "none"
    ? { improvement_suggestion: "" }
    : source === "shuffled"
    ? { improvement_suggestion: other.attempt.diagnosis.report!.improvement_suggestion }
    : expert === undefined
    ? {}
    : { improvement_suggestion: expert.suggestion, retry_from_step: expert.pivot };
  return { ...attempt, diagnosis: { ...attempt.diagnosis, report: { ...report, ...change } } };
}

function summarise(
  source: GuidanceSource,
  judged: readonly Judged[],
  retries: readonly Retry[],
): GuidanceReport {
  const share = <T>(items: readonly T[], holds: (item: T) => boolean) =>
    items.length === 0 ? NaN : items.filter(holds).length / items.length;
  const reported = judged.filter(({ attempt }) => attempt.diagnosis.report !== null);
  const failed = judged.filter(({ attempt, expert }) => !attempt.won && expert !== undefined);
  return {
    source,
    tasks: judged.length,
    baseSuccess: share(judged, ({ attempt }) => attempt.won),
    validReports: share(judged, ({ attempt }) => attempt.diagnosis.report !== null),
    outcomeRight: share(
      reported,
      ({ attempt }) => (attempt.diagnosis.report!.trajectory_outcome !== "failure") === attempt.won,
    ),
    suggestionRight: share(
      failed,
      ({ attempt, expert }) => attempt.diagnosis.report?.improvement_suggestion === expert!.suggestion,
    ),
    pivotRight: share(
      failed,
      ({ attempt, expert }) => attempt.diagnosis.report?.retry_from_step === expert!.pivot,
    ),
    retries: retries.length,
    retrySuccess: share(retries, (retry) => retry.guided.won),
  };
}
