/**
 * Advantages of single turns from state values (VinePPO, arXiv 2410.01679, with γ = 1):
 * A_k = V(s_{k+1}) − V(s_k), where `values[k]` is the expected reward of the whole episode
 * from the state before turn k, and the state after the last turn has the attempt's own
 * reward. They sum to `reward` − V(s_0). A state without a value takes the one before it;
 * the first one `fallback`.
 */
export function vineAdvantages(
  values: readonly (number | null)[],
  reward: number,
  fallback: number,
): number[] {
  const known: number[] = [];
  values.forEach((value, k) => known.push(value ?? (k === 0 ? fallback : known[k - 1])));
  return known.map((value, k) => (k + 1 < known.length ? known[k + 1] : reward) - value);
}
