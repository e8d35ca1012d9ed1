/**
 * Chance that at least one of `k` attempts, drawn without replacement from `n` of
 * which `right` are right, is right: 1 - C(n - right, k) / C(n, k). Unbiased for
 * pass@k (Chen et al. 2021, arXiv 2107.03374). NaN if k > n.
 */
export function passAtK(n: number, right: number, k: number): number {
  if (k > n) return NaN;
  if (n - right < k) return 1;
  let none = 1;
  for (let i = n - right + 1; i <= n; i++) none *= 1 - k / i;
  return 1 - none;
}
