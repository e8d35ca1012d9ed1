/** Arithmetic mean; 0 of nothing. */
export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((a, b) => a + b, 0) / values.length;
}

/** Standard deviation with `n - ddof` in the divisor; 1 where that is not positive (a singleton). */
export function standardDeviation(values: readonly number[], ddof: 0 | 1): number {
  const n = values.length - ddof;
  if (n <= 0) return 1;
  const m = mean(values);
  return Math.sqrt(values.reduce((a, v) => a + (v - m) ** 2, 0) / n);
}

/** All values are equal, compared exactly: no mean, no rounding. True for fewer than two. */
export function isFlat(values: readonly number[]): boolean {
  return values.every((v) => v === values[0]);
}
