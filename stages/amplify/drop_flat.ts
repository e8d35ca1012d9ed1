import { Stream } from "effect";
import type { Amplified } from "../record.ts";
import type { Stage } from "../stage.ts";

/**
 * Dynamic sampling's filter (DAPO, arXiv 2503.14476, section 3.2): drops groups
 * whose rewards are all equal, so that `update` waits for groups that teach. Whole
 * groups pass or go, never single members. After `patience` drops in a row the next
 * group passes whatever it is: tasks that are all solved (or all hopeless) end in
 * steps that report it, not in a run that samples for ever.
 */
export function dropFlat(patience = 64): Stage<Amplified, Amplified> {
  return Stream.mapAccum(() => 0, (dropped: number, group: Amplified) => {
    const passes = !group.flat || dropped >= patience;
    return passes ? [0, [group]] as const : [dropped + 1, []] as const;
  });
}
