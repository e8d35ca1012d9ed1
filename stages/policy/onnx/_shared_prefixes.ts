import { commonPrefix } from "../../engine/common_prefix.ts";

/** A start that a context has in common with an earlier one: its number and the ids that they share. */
export interface SharedPrefix {
  readonly of: number;
  readonly length: number;
}

/** Fewer ids than this are computed again sooner than waited for. */
const LEAST = 32;
/** So is a start that is a smaller share of the context. */
const SHARE = 3 / 4;

/**
 * Which contexts need not be computed from their start, because an earlier one of the same
 * call begins alike: the attempts of a group, whose prompt is one. The last id is always
 * a context's own, its logits are needed. `undefined` where nothing is worth sharing.
 */
export function sharedPrefixes(contexts: readonly (readonly number[])[]): (SharedPrefix | undefined)[] {
  return contexts.map((ids, i) => {
    let found: SharedPrefix | undefined;
    const enough = Math.max(LEAST, SHARE * ids.length);
    for (let of = 0; of < i; of++) {
      const length = commonPrefix(ids, contexts[of], ids.length - 1);
      if (length >= enough && length > (found?.length ?? 0)) found = { of, length };
    }
    return found;
  });
}
