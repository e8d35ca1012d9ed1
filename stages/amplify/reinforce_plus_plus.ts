/** Per-row, per-token rewards with their mask; `gamma` discounts. */
export interface TokenRewards {
  readonly rewards: readonly (readonly number[])[];
  readonly mask: readonly (readonly number[])[];
  /** Default 1. */
  readonly gamma?: number;
}

/**
 * REINFORCE++ (arXiv 2501.03262): token returns G_t = r_t + γ·G_{t+1}, whitened over
 * all tokens with mask 1 (unbiased variance, eps 1e-8). Masked tokens get 0 and
 * break no return; equal returns give 0 everywhere.
 */
export function reinforcePlusPlus({ rewards, mask, gamma = 1 }: TokenRewards): number[][] {
  const returns = rewards.map((row, i) => {
    const out = new Array<number>(row.length).fill(0);
    let g = 0;
    for (let t = row.length - 1; t >= 0; t--) {
      if (!mask[i][t]) continue;
      g = row[t] + gamma * g;
      out[t] = g;
    }
    return out;
  });
  const kept = returns.flatMap((row, i) => row.filter((_, t) => mask[i][t]));
  if (kept.every((g) => g === kept[0])) return returns.map((row) => row.map(() => 0));
  const mean = kept.reduce((a, b) => a + b, 0) / kept.length;
  const variance = kept.reduce((a, g) => a + (g - mean) ** 2, 0) / (kept.length - 1);
  const scale = 1 / Math.sqrt(variance + 1e-8);
  return returns.map((row, i) => row.map((g, t) => mask[i][t] ? (g - mean) * scale : 0));
}
