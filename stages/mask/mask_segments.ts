/**
 * Zeroes the first `count` maximal runs of ones, i.e. the first `count` assistant
 * turns. A `count` beyond the number of runs zeroes all; 0 or less changes nothing.
 */
export function maskSegments(mask: readonly (0 | 1)[], count: number): (0 | 1)[] {
  let run = 0;
  return mask.map((m, t) => {
    if (m === 1 && (t === 0 || mask[t - 1] === 0)) run++;
    return run <= count ? 0 : m;
  });
}
