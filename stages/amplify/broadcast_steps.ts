/**
 * One advantage a turn from one advantage a run: the run's own at every turn, or
 * with `normalise` divided by its number of turns, so that long runs weigh no more
 * than short ones.
 */
export function broadcastSteps(
  advantages: readonly number[],
  steps: readonly number[],
  normalise = false,
): number[][] {
  if (advantages.length !== steps.length) {
    throw new RangeError(`Cannot broadcast: ${advantages.length} advantages, ${steps.length} step counts`);
  }
  return advantages.map((a, i) => new Array<number>(steps[i]).fill(normalise ? a / steps[i] : a));
}
