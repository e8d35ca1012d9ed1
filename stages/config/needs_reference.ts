import { losses } from "../update/losses.ts";
import type { RunConfig } from "./run_config.ts";

/** Whether a run reads a frozen reference policy: for a KL penalty, or for its loss. No other run loads one. */
export function needsReference({ algorithm: { kl_coef, loss } }: RunConfig): boolean {
  return kl_coef > 0 || losses[loss]().needsReference === true;
}
