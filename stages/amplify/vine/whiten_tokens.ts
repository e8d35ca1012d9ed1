import type { Amplified } from "../../record.ts";

/**
 * Token advantages of all groups of a step normalised together over their trained tokens:
 * (A − mean) / √(variance + 1e-8), unbiased variance. Equal advantages become 0.
 */
export function whitenTokens(groups: readonly Amplified[]): readonly Amplified[] {
  const trained = groups.flatMap(({ trainMasks, tokenAdvantages }) =>
    (tokenAdvantages ?? []).flatMap((row, i) => row.filter((_, t) => trainMasks[i][t] === 1))
  );
  const mean = trained.reduce((a, b) => a + b, 0) / Math.max(1, trained.length);
  const variance = trained.reduce((sum, a) => sum + (a - mean) ** 2, 0) / Math.max(1, trained.length - 1);
  const isFlat = trained.every((a) => a === trained[0]);
  const scale = isFlat ? 0 : 1 / Math.sqrt(variance + 1e-8);
  return groups.map((group) => {
    const tokenAdvantages = (group.tokenAdvantages ?? []).map((row, i) =>
      row.map((a, t) => (group.trainMasks[i][t] === 1 ? (a - mean) * scale : 0))
    );
    const advantages = tokenAdvantages.map((row, i) => {
      const own = row.filter((_, t) => group.trainMasks[i][t] === 1);
      return own.reduce((a, b) => a + b, 0) / Math.max(1, own.length);
    });
    return { ...group, advantages, tokenAdvantages };
  });
}
