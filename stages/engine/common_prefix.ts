/** How many ids two sequences have in common at their start, at most `most`. */
export function commonPrefix(a: readonly number[], b: readonly number[], most = Infinity): number {
  const end = Math.min(a.length, b.length, most);
  let n = 0;
  while (n < end && a[n] === b[n]) n++;
  return n;
}
