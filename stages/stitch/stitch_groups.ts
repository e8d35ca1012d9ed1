import { Effect } from "effect";
import { diagnoseAttempts, type DiagnoseOptions } from "../diagnose/diagnose_attempts.ts";
import { NOT_ASKED } from "../diagnose/not_asked.ts";
import type { Diagnosed, DiagnosedAttempt, Diagnosis, Stitched } from "../record.ts";
import { guidance, type GuidanceMode } from "./guidance.ts";
import { type OwnedRetry, retryAttempts, type RetryOptions, type RetryPlan } from "./retry_attempts.ts";

/** How `stitch` retries. */
export interface StitchOptions extends RetryOptions {
  /** `report`: when a valid report does not claim success (released); `always`: whenever a report names a pivot. */
  readonly trigger: "report" | "always";
  readonly guidance: GuidanceMode;
  /** `pivot`: from the turn that the report names (R³L); `start`: from the first turn. Default `pivot`. */
  readonly from?: "pivot" | "start";
  /** More than one retry of a base attempt. Absent: one, of every base attempt whose report asks for it. */
  readonly chain?: ChainOptions;
}

/**
 * Retries one after another (R³L, table of retry counts): each starts at the pivot that a
 * fresh reflection on the attempt before it names.
 */
export interface ChainOptions {
  /** Most retries of one base attempt. */
  readonly retries: number;
  /** Most base attempts of a group that are retried: the first whose reports ask for it. */
  readonly bases: number;
  /** How retries are reflected on. */
  readonly diagnose: DiagnoseOptions;
}

/** Retries every base attempt whose report asks for it, all groups together. */
export const stitchGroups = Effect.fn("stitch")(
  function* (groups: readonly Diagnosed[], options: StitchOptions) {
    const { chain } = options;
    const made: OwnedRetry[] = [];
    let plans = groups.flatMap((group) =>
      group.attempts.flatMap((base) => planOf(group, base, options)).slice(0, chain?.bases)
    );
    for (let left = chain?.retries ?? 1; left > 0 && plans.length > 0; left--) {
      const retries = yield* retryAttempts(plans, options);
      const diagnoses: ReadonlyMap<unknown, Diagnosis> = chain === undefined || left === 1
        ? new Map()
        : yield* diagnoseAttempts(retries.map(([, { distilled }]) => distilled), chain.diagnose);
      plans = [];
      for (const [group, retry] of retries) {
        const diagnosis = diagnoses.get(retry.distilled);
        made.push([group, diagnosis === undefined ? retry : { ...retry, diagnosis }]);
        const next = { ...retry.distilled, diagnosis: diagnosis ?? NOT_ASKED };
        plans.push(...planOf(group, next, options, retry.order));
      }
    }
    return groups.map((group): Stitched => ({
      ...group,
      retries: made.filter(([owner]) => owner === group).map(([, retry]) => retry),
    }));
  },
);

/** The retry that the report on an attempt asks for, if it does; `parent` where the attempt is that retry. */
function planOf(
  group: Diagnosed,
  base: DiagnosedAttempt,
  options: StitchOptions,
  parent?: number,
): readonly RetryPlan[] {
  const { report } = base.diagnosis;
  const named = report?.retry_from_step ?? null;
  const pivot = named !== null && options.from === "start" ? 0 : named;
  if (report === null || pivot === null || base.snapshots[pivot] === undefined) return [];
  if (options.trigger === "report" && report.trajectory_outcome === "success") return [];
  const text = guidance(report, options.guidance);
  return [{
    group,
    base,
    order: parent === undefined ? 0 : parent + 1,
    pivot,
    text,
    ...(parent === undefined ? {} : { parent }),
  }];
}
