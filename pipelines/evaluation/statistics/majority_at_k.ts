/** One attempt's vote. */
export interface Vote {
  /** The answer in its plainest form; null casts no vote. */
  readonly answer: string | null;
  readonly right: boolean;
}

/**
 * How often the answer given most often by `k` attempts is right: the mean over the
 * disjoint blocks of `k` consecutive attempts. Of answers given equally often each
 * counts alike, so the order within a block does not matter; a block without an answer
 * is wrong. NaN if k > n.
 */
export function majorityAtK(votes: readonly Vote[], k: number): number {
  const blocks = Math.floor(votes.length / k);
  if (blocks === 0) return NaN;
  let sum = 0;
  for (let b = 0; b < blocks; b++) sum += majority(votes.slice(b * k, (b + 1) * k));
  return sum / blocks;
}

function majority(votes: readonly Vote[]): number {
  const counts = new Map<string, { given: number; right: number }>();
  for (const { answer, right } of votes) {
    if (answer === null) continue;
    const count = counts.get(answer) ?? { given: 0, right: 0 };
    counts.set(answer, { given: count.given + 1, right: count.right + Number(right) });
  }
  const most = Math.max(0, ...[...counts.values()].map(({ given }) => given));
  const first = [...counts.values()].filter(({ given }) => given === most);
  return first.length === 0
    ? 0
    : first.reduce((sum, { given, right }) => sum + right / given, 0) / first.length;
}
