/**
 * A = 1 for the best reward of the group, −1 for the worst, 0 for all between: the pair
 * that a preference loss compares. The first of equals is taken; equal rewards give no pair.
 */
export function bestWorst(rewards: readonly number[]): number[] {
  const best = rewards.indexOf(Math.max(...rewards));
  const worst = rewards.indexOf(Math.min(...rewards));
  return rewards.map((_, i) => (best === worst ? 0 : i === best ? 1 : i === worst ? -1 : 0));
}
