import { Effect } from "effect";
import { Environment } from "../../envs/env.ts";
import type { DiagnoseOptions } from "../../stages/diagnose/diagnose_attempts.ts";
import { diagnoseGroups } from "../../stages/diagnose/diagnose_groups.ts";
import { Policy } from "../../stages/policy/policy.ts";
import type { Diagnosed, DiagnosedAttempt, Report, Stitched, TaskAt } from "../../stages/record.ts";
import { sampleGroups } from "../../stages/sample/sample_groups.ts";
import { seedPath } from "../../stages/seed.ts";
import { stitchGroups, type StitchOptions } from "../../stages/stitch/stitch_groups.ts";
import type { EvaluateOptions } from "./evaluate_success.ts";
import { type GuidanceReport, guidanceReport, type GuidanceSource, type Judged } from "./guidance_report.ts";

/** What takes the groups as they are played, e.g. to write them down. */
export type WatchRetries<E = never> = (groups: readonly Stitched[]) => Effect.Effect<void, E>;

type Judgement = Omit<Judged, "retry">;

/** Settings of the three stages. */
export interface GuidanceOptions {
  readonly play: EvaluateOptions;
  readonly diagnose: DiagnoseOptions;
  readonly stitch: StitchOptions;
}

/**
 * One attempt, one report and, after a failure, one second attempt at each task, with
 * guidance from `source`.
 */
export const evaluateGuidance = Effect.fn("eval guidance")(
  function* <E = never>(
    tasks: readonly TaskAt[],
    source: GuidanceSource,
    options: GuidanceOptions,
    watch: WatchRetries<E> = () => Effect.void,
  ) {
    const policy = yield* Policy;
    const environment = yield* Environment;
    const { chain: _chain, ...once } = options.stitch;
    const judged: Judged[] = [];
    for (let i = 0; i < tasks.length; i += options.play.batch) {
      const sampled = yield* sampleGroups(tasks.slice(i, i + options.play.batch), {
        ...options.play,
        attempts: 1,
        seed: seedPath("guidance", options.play.seed),
      });
      const diagnosed = yield* diagnoseGroups(sampled, options.diagnose);
      const judgements = diagnosed.map(({ task, attempts: [attempt] }): Judgement => ({
        task: task.id,
        attempt,
        expert: environment.expert?.(task, attempt.firstObservation, attempt.turns, attempt.feedback),
      }));
      const failed = judgements.filter(({ attempt }) => retryable(attempt));
      const guided = failed.map((judgement, j): Diagnosed => ({
        ...diagnosed[judgements.indexOf(judgement)],
        attempts: [withGuidance(judgement, source, failed[(j + 1) % failed.length])],
      }));
      const stitched = yield* stitchGroups(guided, once);
      const groups = diagnosed.map((group, j): Stitched =>
        stitched[failed.indexOf(judgements[j])] ?? { ...group, retries: [] }
      );
      yield* watch(groups);
      judged.push(...groups.map(({ retries: [retry] }, j): Judged => ({ ...judgements[j], retry })));
      yield* policy.release();
    }
    const temperatures = { attempts: options.play.temperature, reflections: options.diagnose.temperature };
    return guidanceReport(source, judged, temperatures) satisfies GuidanceReport;
  },
);

/** A failed attempt whose own report says that it failed. */
function retryable(attempt: DiagnosedAttempt): boolean {
  const outcome = attempt.diagnosis.report?.trajectory_outcome;
  return !attempt.won && outcome !== undefined && outcome !== "success";
}

function withGuidance(
  { attempt, expert }: Judgement,
  source: GuidanceSource,
  other: Judgement,
): DiagnosedAttempt {
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
