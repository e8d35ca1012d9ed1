import { commonPrefix } from "./common_prefix.ts";
import type { PackableRow } from "./pack_rows.ts";
import type { Microbatch } from "./plan_microbatches.ts";

/** Fewer tokens in common are computed again sooner than a row is moved for them. */
const LEAST = 16;

interface Tree {
  readonly rows: number[];
  readonly slots: Int32Array[];
  time: number;
}

/**
 * Puts rows that begin alike into one sequence, their common beginning once: the
 * attempts of a group after their prompt, a retry after the prefix of its base. A row's
 * positions see those of its own tokens alone, so that every number is the one of the row by
 * itself. What is asked of a row is never shared: its branch begins before the first
 * wanted token is predicted.
 *
 * @param members Rows that have something wanted.
 * @param longest Most tokens of a sequence, whose attention costs its square.
 * @returns The trees of two rows or more, and the rows that share nothing.
 */
export function planTrees(
  rows: readonly PackableRow[],
  members: readonly number[],
  longest: number,
): { readonly trees: Microbatch[]; readonly single: number[] } {
  const trees: Tree[] = [];
  // Who branches off first can carry those that branch off later.
  const order = members.toSorted((a, b) =>
    rows[a].wanted[0] - rows[b].wanted[0] || rows[b].ids.length - rows[a].ids.length || a - b
  );
  for (const r of order) {
    const fed = rows[r].ids.length - 1;
    let best: { readonly tree: Tree; readonly from: number; readonly shared: number } | undefined;
    for (const tree of trees) {
      for (const [from, other] of tree.rows.entries()) {
        const shared = sharedTokens(rows[r], rows[other]);
        if (shared < LEAST || shared <= (best?.shared ?? 0) || tree.time + fed - shared > longest) continue;
        best = { tree, from, shared };
      }
    }
    const slots = new Int32Array(fed);
    const tree: Tree = best?.tree ?? { rows: [], slots: [], time: 0 };
    const shared = best?.shared ?? 0;
    if (best === undefined) trees.push(tree);
    else slots.set(best.tree.slots[best.from].subarray(0, shared));
    for (let t = shared; t < fed; t++) slots[t] = tree.time++;
    tree.rows.push(r);
    tree.slots.push(slots);
  }
  return {
    trees: trees.filter((tree) => tree.rows.length > 1),
    single: trees.filter((tree) => tree.rows.length === 1).map((tree) => tree.rows[0]),
  };
}

/** Tokens at the start of `row` that stand in `other` too and predict nothing that is wanted of `row`. */
function sharedTokens({ ids, wanted }: PackableRow, other: PackableRow): number {
  return commonPrefix(ids, other.ids, Math.min(wanted[0] - 1, other.ids.length - 1));
}
