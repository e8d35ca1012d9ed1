import { Effect } from "effect";
import type { Diagnosed, Sampled } from "../record.ts";
import { diagnoseAttempts, type DiagnoseOptions } from "./diagnose_attempts.ts";
import { NOT_ASKED } from "./not_asked.ts";

/** Lets the policy write a report on every finished attempt of all groups, in one batch. */
export const diagnoseGroups = Effect.fn("diagnose")(
  function* (groups: readonly Sampled[], options: DiagnoseOptions) {
    const diagnoses = yield* diagnoseAttempts(groups.flatMap(({ attempts }) => attempts), options);
    return groups.map((group): Diagnosed => ({
      ...group,
      attempts: group.attempts.map((attempt) => ({
        ...attempt,
        diagnosis: diagnoses.get(attempt) ?? NOT_ASKED,
      })),
    }));
  },
);
