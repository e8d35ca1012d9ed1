/** Maps rewards and advantages of one group to amplified advantages, given α. */
export type Amplify = (
  rewards: readonly number[],
  advantages: readonly number[],
  alpha: number,
) => number[];

/**
 * Positive amplification by name. On its own, each is the rule as written; what
 * happens to a group of equal rewards is decided by `amplifyGroup`.
 *
 * - `none`: A.
 * - `paper`: α if R is the group's maximum, else α·A if A > 0, else A (R³L, equation 11).
 * - `scaled`: α·A if A > 0, else A.
 * - `released`: 1 if R ≥ 1, else α·A if A ≥ 0, else A (R³L's code). It is not
 *   monotone: 0.75 can get more than 1.0.
 */
export const amplifications = {
  none: (_rewards, advantages) => [...advantages],
  paper: (rewards, advantages, alpha) => {
    const best = Math.max(...rewards);
    return advantages.map((a, i) => rewards[i] === best ? alpha : a > 0 ? alpha * a : a);
  },
  scaled: (_rewards, advantages, alpha) => advantages.map((a) => a > 0 ? alpha * a : a),
  released: (rewards, advantages, alpha) =>
    advantages.map((a, i) => rewards[i] >= 1 ? 1 : a >= 0 ? alpha * a : a),
} as const satisfies Record<string, Amplify>;

/** Name of an amplification. */
export type AmplificationName = keyof typeof amplifications;
