import type { Diagnosis } from "../record.ts";

/**
 * A reflection in plain words as a report on a failure: all of it is advice, for a
 * retry from the first turn. One that was cut still advises, and is marked
 * `truncated`; an empty one is no report.
 */
export function textReport(text: string, isWhole: boolean): Omit<Diagnosis, "tokens"> {
  const advice = text.trim();
  if (advice === "") return { report: null, invalid: isWhole ? "bad_suggestion" : "truncated" };
  return {
    report: {
      trajectory_summary: "",
      root_cause_analysis: null,
      trajectory_outcome: "failure",
      improvement_suggestion: advice,
      retry_from_step: 0,
    },
    ...(isWhole ? {} : { invalid: "truncated" }),
  };
}
