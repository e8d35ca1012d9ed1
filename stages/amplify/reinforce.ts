/** A = R: REINFORCE without a baseline (Williams 1992). */
export function reinforce(rewards: readonly number[]): number[] {
  return [...rewards];
}
