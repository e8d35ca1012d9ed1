/**
 * Advantages normalised over all trained tokens of a step, each row counting as often
 * as it has tokens: (A − mean) / √(variance + 1e-8) with the unbiased variance. This is
 * REINFORCE++ (arXiv 2501.03262) with γ = 1 and one reward at the end of a row, where
 * every token's return is that reward. Equal values give 0.
 */
export function whiten(advantages: readonly number[], tokens: readonly number[]): number[] {
  const counted = advantages.filter((_, i) => tokens[i] > 0);
  if (counted.every((a) => a === counted[0])) return advantages.map(() => 0);
  const n = tokens.reduce((a, b) => a + b, 0);
  const mean = advantages.reduce((sum, a, i) => sum + tokens[i] * a, 0) / n;
  const variance = advantages.reduce((sum, a, i) => sum + tokens[i] * (a - mean) ** 2, 0) / (n - 1);
  return advantages.map((a) => (a - mean) / Math.sqrt(variance + 1e-8));
}
