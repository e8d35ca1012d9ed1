import type { RunConfig } from "../stages/config/run_config.ts";
import { losses } from "../stages/update/losses.ts";
import { lossOptions } from "./_algorithm_options.ts";

/** Whether a run reads a frozen reference policy: for a KL penalty, or for its loss. No other run loads one. */
export function needsReference({ algorithm }: RunConfig): boolean {
  return algorithm.kl_coef > 0 || losses[algorithm.loss](lossOptions(algorithm)).needsReference === true;
}
