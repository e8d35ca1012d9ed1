/**
 * The message that asks for a report. It continues the attempt's own
 * conversation (so its cached prefix is used again): the last observation, the
 * environment's verdict, the instruction.
 */
export function reflectionPrompt(lastObservation: string, feedback: string, instruction: string): string {
  return [lastObservation, feedback, instruction].filter((part) => part !== "").join("\n");
}
