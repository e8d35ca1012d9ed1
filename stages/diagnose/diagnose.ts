import type { PolicyError } from "../errors.ts";
import type { Policy } from "../policy/policy.ts";
import type { Diagnosed, Sampled } from "../record.ts";
import { batchStage, type Stage } from "../stage.ts";
import type { DiagnoseOptions } from "./diagnose_attempts.ts";
import { diagnoseGroups } from "./diagnose_groups.ts";

/**
 * The policy reads each attempt's log and verdict and writes a report: summary,
 * root cause, outcome, suggestion, pivot turn (R³L, section 3). A reply that is
 * no valid report keeps its typed reason and leads to no retry.
 */
export function diagnose(
  options: DiagnoseOptions & { readonly batch: number },
): Stage<Sampled, Diagnosed, PolicyError, Policy> {
  return batchStage(options.batch, (groups) => diagnoseGroups(groups, options));
}
