/** Environments by the names that `task.environment` takes. */
export const environmentNames = [
  "household",
  "countdown",
  "math",
  "function_call",
  "multiple_choice",
] as const;

/** A name in {@link environmentNames}. */
export type EnvironmentName = typeof environmentNames[number];

/** Where the tasks of an environment are from: generated, read from data files, or either. */
export const taskOrigin: Readonly<Record<EnvironmentName, "generated" | "files" | "either">> = {
  household: "generated",
  countdown: "either",
  math: "files",
  function_call: "files",
  multiple_choice: "files",
};
