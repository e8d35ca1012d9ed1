import type { ExpertDiagnosis } from "../../envs/env.ts";
import type { Report } from "../record.ts";

/** An expert's diagnosis as a reflection report; `JSON.stringify` of it is the text that a policy writes. */
export function reportOf(diagnosis: ExpertDiagnosis): Report {
  return {
    trajectory_summary: diagnosis.summary,
    root_cause_analysis: diagnosis.success ? null : diagnosis.cause,
    trajectory_outcome: diagnosis.success ? "success" : "failure",
    improvement_suggestion: diagnosis.success ? null : diagnosis.suggestion,
    retry_from_step: diagnosis.success ? null : diagnosis.pivot,
  };
}
