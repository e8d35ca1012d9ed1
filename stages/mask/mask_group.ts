import type { Masked, Member, Scored } from "../record.ts";
import { maskSegments } from "./mask_segments.ts";

/** Which tokens may get gradient. */
export interface MaskOptions {
  /**
   * `pivot`: no token of the prefix that base and retry share trains, in either of
   * them (R³L, equation 10; the prefix that was really shared decides);
   * `segments`: the first `pivot` assistant turns do not train, shared or not (the
   * released code); `none`: every sampled token trains. Default `pivot`.
   */
  readonly credit?: "pivot" | "segments" | "none";
}

/**
 * Adds a mask per member: sampled tokens, less those that pivotal credit takes
 * out. A member without a reward trains nothing.
 */
export function maskGroup(group: Scored, options: MaskOptions = {}): Masked {
  const credit = options.credit ?? "pivot";
  return { ...group, trainMasks: group.members.map((member) => trainMask(member, credit)) };
}

function trainMask(member: Member, credit: "pivot" | "segments" | "none"): readonly (0 | 1)[] {
  if (member.reward === null) return member.mask.map(() => 0);
  switch (credit) {
    case "none":
      return member.mask;
    case "segments":
      return maskSegments(member.mask, member.kind === "reflection" ? 0 : member.pivot ?? 0);
    case "pivot":
      return member.mask.map((m, t) => t < member.prefixLength ? 0 : m);
  }
}
