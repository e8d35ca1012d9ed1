import type { Environment } from "../../envs/env.ts";
import type { PolicyError } from "../errors.ts";
import type { Policy } from "../policy/policy.ts";
import type { Diagnosed, Stitched } from "../record.ts";
import { batchStage, type Stage } from "../stage.ts";
import { stitchGroups, type StitchOptions } from "./stitch_groups.ts";

/**
 * Goes back to each report's pivot, retries from there under guidance, and builds
 * the distilled view that is trained: the same prefix ids and the corrected
 * suffix, guidance dropped (R³L, equation 8).
 */
export function stitch(
  options: StitchOptions & { readonly batch: number },
): Stage<Diagnosed, Stitched, PolicyError, Policy | Environment> {
  return batchStage(options.batch, (groups) => stitchGroups(groups, options));
}
