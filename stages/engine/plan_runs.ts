import type { PackableRow } from "./pack_rows.ts";
import { type Microbatch, planMicrobatches } from "./plan_microbatches.ts";
import { planTrees } from "./plan_trees.ts";

/** How {@link planRuns} puts rows together. */
export interface RunPlanOptions {
  /** Most tokens of a micro-batch, padding included; a longer row gets one of its own. */
  readonly tokenBudget: number;
  /** Whether rows that begin alike are computed as one tree. */
  readonly sharesPrefixes: boolean;
}

/**
 * The micro-batches of some rows, of which `lengths` tokens are fed; those of length 0 are
 * left out. A tree is at most twice as long as the longest row: its attention costs its
 * square.
 */
export function planRuns(
  rows: readonly PackableRow[],
  lengths: readonly number[],
  { tokenBudget, sharesPrefixes }: RunPlanOptions,
): Microbatch[] {
  if (!sharesPrefixes) return planMicrobatches(lengths, tokenBudget);
  const members = [...lengths.keys()].filter((r) => lengths[r] > 0);
  const longest = Math.min(tokenBudget, 2 * Math.max(0, ...members.map((r) => lengths[r])));
  const { trees, single } = planTrees(rows, members, longest);
  const alone = new Set(single);
  return [...trees, ...planMicrobatches(lengths.map((n, r) => alone.has(r) ? n : 0), tokenBudget)];
}
