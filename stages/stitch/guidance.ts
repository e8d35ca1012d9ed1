import type { Report } from "../record.ts";

/** What of a report guides a retry. */
export type GuidanceMode = "suggestion" | "report";

/**
 * The text that guides a retry: the suggestion alone, or the whole report as
 * indented JSON (the released R³L code).
 */
export function guidance(report: Report, mode: GuidanceMode): string {
  return mode === "suggestion" ? report.improvement_suggestion ?? "" : JSON.stringify(report, null, 2);
}
