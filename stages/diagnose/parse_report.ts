import type { Report } from "../record.ts";

/** Why a reply is no report. */
export type ReportFault =
  | "no_json"
  | "bad_json"
  | "missing_key"
  | "bad_outcome"
  | "bad_suggestion"
  | "bad_pivot";

/** A report, or the first reason why there is none. */
export type ParsedReport =
  | { readonly report: Report }
  | { readonly invalid: ReportFault };

const KEYS = [
  "trajectory_summary",
  "root_cause_analysis",
  "trajectory_outcome",
  "improvement_suggestion",
  "retry_from_step",
] as const;
const OUTCOMES = ["success", "success_but_inefficient", "failure"] as const;

/**
 * Reads a reflection report strictly: the text from the first `{` to the last
 * `}` must be a JSON object with the five keys of the R³L format; the outcome is
 * one of three words; unless it is `success`, the suggestion is a non-empty
 * string and the pivot an integer turn in [0, turns). The pivot is converted
 * once: an integral number or its decimal string, never a boolean or a fraction.
 */
export function parseReport(text: string, turns: number): ParsedReport {
  const from = text.indexOf("{");
  const to = text.lastIndexOf("}");
  if (from < 0 || to < from) return { invalid: "no_json" };
  let value: unknown;
  try {
    value = JSON.parse(text.slice(from, to + 1));
  } catch {
    return { invalid: "bad_json" };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { invalid: "bad_json" };
  const record = value as Record<string, unknown>;
  if (KEYS.some((key) => !Object.hasOwn(record, key))) return { invalid: "missing_key" };
  const outcome = OUTCOMES.find((name) => name === record.trajectory_outcome);
  if (outcome === undefined) return { invalid: "bad_outcome" };
  const suggestion = record.improvement_suggestion;
  const pivot = pivotOf(record.retry_from_step, turns);
  if (outcome !== "success") {
    if (typeof suggestion !== "string" || suggestion.trim() === "") return { invalid: "bad_suggestion" };
    if (pivot === null) return { invalid: "bad_pivot" };
  }
  return {
    report: {
      trajectory_summary: textOf(record.trajectory_summary) ?? "",
      root_cause_analysis: textOf(record.root_cause_analysis),
      trajectory_outcome: outcome,
      improvement_suggestion: textOf(suggestion),
      retry_from_step: pivot,
    },
  };
}

function pivotOf(value: unknown, turns: number): number | null {
  const number = typeof value === "string" && /^\d{1,9}$/.test(value.trim()) ? Number(value) : value;
  return typeof number === "number" && Number.isInteger(number) && number >= 0 && number < turns
    ? number
    : null;
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}
