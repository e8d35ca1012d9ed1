/**
 * Expected highest of `k` scores drawn without replacement:
 * Σ_i s_(i) C(i - 1, k - 1) / C(n, k) over the scores in ascending order. With scores
 * 0 and 1 it is pass@k. NaN if k > n.
 */
export function bestAtK(scores: readonly number[], k: number): number {
  const n = scores.length;
  if (k > n || k < 1) return NaN;
  const falling = [...scores].sort((a, b) => b - a);
  // Chance that the j-th highest (0-based) is the highest drawn, from the one before it.
  let chance = k / n;
  let sum = 0;
  for (let j = 0; j <= n - k; j++) {
    sum += chance * falling[j];
    chance *= (n - k - j) / (n - 1 - j);
  }
  return sum;
}
