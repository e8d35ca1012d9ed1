import type { Diagnosis } from "../record.ts";

/** The diagnosis of an attempt whose policy was not asked for one. */
export const NOT_ASKED: Diagnosis = {
  tokens: { ids: [], mask: [], logprobs: [] },
  report: null,
  invalid: "not_asked",
};
