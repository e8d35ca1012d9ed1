import { type Row, RowFault, shown, texts } from "../../envs/rows/row.ts";

/** Recorded attempts at one task. */
export interface RecordedRow {
  /** Last part of the task's id. */
  readonly id: string;
  /** Whole attempts that every recorded judge calls wrong, with their positions. */
  readonly failures: readonly { readonly index: number; readonly text: string }[];
  readonly samples: number;
  readonly wins: number;
}

/**
 * Reads a row of OpenR1-Math-220k: `generations` with, for each, `is_reasoning_complete`,
 * `correctness_math_verify` and, where there is one, `correctness_llama`. An attempt
 * counts as failed if it is whole, the first judge says wrong and the second does not say
 * right: a right answer that one judge could not read must not be repaired.
 *
 * @throws RowFault
 */
export function recordedRow(row: Row, index: number): RecordedRow {
  const generations = texts(row, "generations");
  const flags = (field: string): readonly unknown[] => {
    const value = row[field];
    if (Array.isArray(value) && value.length === generations.length) return value;
    throw new RowFault(field, `expected ${generations.length} values, got ${shown(value)}`);
  };
  const verified = flags("correctness_math_verify");
  const complete = flags("is_reasoning_complete");
  const second = (row.correctness_llama ?? null) === null ? undefined : flags("correctness_llama");
  return {
    id: String(row.unique_id ?? row.uuid ?? row.id ?? row.idx ?? index),
    failures: generations.flatMap((text, j) =>
      verified[j] === false && complete[j] === true && second?.[j] !== true ? [{ index: j, text }] : []
    ),
    samples: generations.length,
    wins: verified.filter((right) => right === true).length,
  };
}
