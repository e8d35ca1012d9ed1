import type { Masked, Scored } from "../record.ts";
import { pureStage, type Stage } from "../stage.ts";
import { maskGroup, type MaskOptions } from "./mask_group.ts";

/** The stage that adds training masks: {@link maskGroup} on every group. */
export function mask(options: MaskOptions = {}): Stage<Scored, Masked> {
  return pureStage("mask", (group) => maskGroup(group, options));
}
