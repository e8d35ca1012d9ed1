import type { Amplified } from "../record.ts";
import type { Estimator } from "./estimator.ts";

/** Passes the advantages of all rewarded members of these groups through `batch` together; the others keep 0. */
export function amplifyBatch(
  groups: readonly Amplified[],
  batch: NonNullable<Estimator["batch"]>,
): readonly Amplified[] {
  const rows = groups.flatMap((group, g) =>
    group.members.flatMap(({ reward }, i) => (reward === null ? [] : [{ g, i }]))
  );
  const advantages = groups.map((group) => [...group.advantages]);
  const tokens = rows.map(({ g, i }) => groups[g].trainMasks[i].reduce((n: number, m) => n + m, 0));
  batch(rows.map(({ g, i }) => advantages[g][i]), tokens).forEach((a, k) => {
    advantages[rows[k].g][rows[k].i] = a;
  });
  return groups.map((group, g) => ({ ...group, advantages: advantages[g] }));
}
