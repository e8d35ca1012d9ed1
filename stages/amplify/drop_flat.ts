import { Stream } from "effect";
import type { Amplified } from "../record.ts";
import type { Stage } from "../stage.ts";

/**
 * Dynamic sampling's filter (DAPO, arXiv 2503.14476, section 3.2): drops groups
 * whose rewards are all equal. Whole groups pass or go, never single members.
 */
export function dropFlat(): Stage<Amplified, Amplified> {
  return Stream.filter((group: Amplified) => !group.flat);
}
