import type { Attempt } from "../record.ts";

/**
 * The message that asks for a report. It continues the attempt's own
 * conversation (so its cached prefix is used again): the last observation, the
 * environment's verdict, the instruction.
 */
export function reflectionPrompt(attempt: Attempt, instruction: string): string {
  const last = attempt.turns.at(-1)?.observation ?? attempt.firstObservation;
  return [last, attempt.feedback, instruction].filter((part) => part !== "").join("\n");
}
