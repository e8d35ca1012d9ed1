/**
 * Similarity of two texts in [0, 1] as Python's `difflib.SequenceMatcher.ratio`:
 * 2·M/T, with T characters in both and M those in the longest common block and,
 * again and again, in the longest ones left and right of it. Characters that are
 * more than one in a hundred of a second text of 200 or more do not start a block.
 */
export function sequenceRatio(first: string, second: string): number {
  const a = [...first];
  const b = [...second];
  if (a.length + b.length === 0) return 1;
  return (2 * matches(a, b, positions(b))) / (a.length + b.length);
}

function positions(b: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const where = new Map<string, number[]>();
  b.forEach((unit, j) => {
    const list = where.get(unit);
    if (list === undefined) where.set(unit, [j]);
    else list.push(j);
  });
  if (b.length >= 200) {
    const popular = Math.floor(b.length / 100) + 1;
    for (const [unit, list] of where) if (list.length > popular) where.delete(unit);
  }
  return where;
}

/** Characters in common blocks, without recursion. */
function matches(
  a: readonly string[],
  b: readonly string[],
  where: ReadonlyMap<string, readonly number[]>,
): number {
  let sum = 0;
  const open: [number, number, number, number][] = [[0, a.length, 0, b.length]];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    const [aFrom, aTo, bFrom, bTo] = part;
    const { i, j, size } = longest(a, b, where, aFrom, aTo, bFrom, bTo);
    if (size === 0) continue;
    sum += size;
    if (aFrom < i && bFrom < j) open.push([aFrom, i, bFrom, j]);
    if (i + size < aTo && j + size < bTo) open.push([i + size, aTo, j + size, bTo]);
  }
  return sum;
}

/** The longest common block; of several the first in `a`, then the first in `b`. */
function longest(
  a: readonly string[],
  b: readonly string[],
  where: ReadonlyMap<string, readonly number[]>,
  aFrom: number,
  aTo: number,
  bFrom: number,
  bTo: number,
) {
  let best = { i: aFrom, j: bFrom, size: 0 };
  let ending = new Map<number, number>();
  for (let i = aFrom; i < aTo; i++) {
    const next = new Map<number, number>();
    for (const j of where.get(a[i]) ?? []) {
      if (j < bFrom) continue;
      if (j >= bTo) break;
      const size = (ending.get(j - 1) ?? 0) + 1;
      next.set(j, size);
      if (size > best.size) best = { i: i - size + 1, j: j - size + 1, size };
    }
    ending = next;
  }
  // Popular characters do not start a block but belong to one that they touch.
  let { i, j, size } = best;
  while (i > aFrom && j > bFrom && a[i - 1] === b[j - 1]) [i, j, size] = [i - 1, j - 1, size + 1];
  while (i + size < aTo && j + size < bTo && a[i + size] === b[j + size]) size++;
  return { i, j, size };
}
