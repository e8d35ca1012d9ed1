import type { TrainRow } from "../train_batch.ts";

/** A row as the teacher reads it: its own opening, then the very tokens that the policy saw and sampled. */
export interface TeacherRow {
  readonly ids: readonly number[];
  /** Position of token `t` of the policy's row, for the tokens after the opening: `t + shift`. */
  readonly shift: number;
  /** Whether the opening is another one. */
  readonly isPrivileged: boolean;
}

/** The teacher's side of a row; one that would be longer than `contextLength` keeps the policy's opening. */
export function teacherRow({ ids, privileged }: TrainRow, contextLength: number): TeacherRow {
  const direct = { ids, shift: 0, isPrivileged: false };
  if (privileged === undefined) return direct;
  const opening = privileged.ids;
  const shift = opening.length - privileged.replaces;
  if (ids.length + shift > contextLength) return direct;
  return { ids: [...opening, ...ids.slice(privileged.replaces)], shift, isPrivileged: true };
}

/** Values by the teacher's positions, moved to the policy's; 0 before its own first token. */
export function toPolicyPositions(values: ArrayLike<number>, length: number, shift: number): Float64Array {
  return Float64Array.from({ length }, (_, t) => t + shift < 0 ? 0 : values[t + shift]);
}

/** A mask by the policy's positions, moved to the teacher's. */
export function toTeacherPositions(
  mask: ArrayLike<number>,
  { ids, shift }: Pick<TeacherRow, "ids" | "shift">,
): Uint8Array {
  return Uint8Array.from({ length: ids.length }, (_, s) => s - shift < 0 ? 0 : mask[s - shift]);
}
