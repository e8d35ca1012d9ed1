import type { RunConfig } from "../../stages/config/run_config.ts";
import type { RunStart } from "./run_folder.ts";

/** Whether a run that stands at `start` has taken all its steps, or generated all its tokens. */
export function isComplete(
  { trainer: { total_steps: steps, total_tokens: budget } }: RunConfig,
  { step, tokens }: Pick<RunStart, "step" | "tokens">,
): boolean {
  return step >= steps || (budget !== null && tokens >= budget);
}
