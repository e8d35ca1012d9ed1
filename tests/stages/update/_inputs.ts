import type { LossRows } from "../../../stages/update/loss.ts";
import { cases } from "../_cases.ts";

/** The two rows that all golden loss entries share, with advantages `A1`, `A2`, `A0`, `AP`, `AN` or `AH`. */
export function sharedRows(advantages: string, offPolicy?: boolean[]): LossRows {
  const { logp, old, mask } = cases.inputs;
  return {
    logp,
    oldLogp: old,
    mask,
    advantages: cases.inputs[advantages].map((row: number[]) => row[0]),
    ...(offPolicy === undefined ? {} : { offPolicy }),
  };
}
