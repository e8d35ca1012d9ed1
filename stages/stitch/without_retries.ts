import { NOT_ASKED } from "../diagnose/not_asked.ts";
import type { Sampled, Stitched } from "../record.ts";
import { pureStage, type Stage } from "../stage.ts";

/** Attempts as they are: no reports, no retries. What a method that only samples puts between `sample` and `score`. */
export function withoutRetries(): Stage<Sampled, Stitched> {
  return pureStage("stitch", (group) => ({
    ...group,
    attempts: group.attempts.map((attempt) => ({ ...attempt, diagnosis: NOT_ASKED })),
    retries: [],
  }));
}
