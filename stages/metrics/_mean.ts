/** Arithmetic mean of at least one number. */
export function mean(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0) / values.length;
}

/** `{ [name]: f(values) }`, or nothing if there are no values: an undefined mean is left out, not reported as 0. */
export function ifAny(
  values: readonly number[],
  entries: Readonly<Record<string, (values: readonly number[]) => number>>,
): Record<string, number> {
  if (values.length === 0) return {};
  return Object.fromEntries(Object.entries(entries).map(([name, f]) => [name, f(values)]));
}

/** Largest of at least one number. */
export function max(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b));
}

/** Smallest of at least one number. */
export function min(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b));
}

/** Population standard deviation of at least one number. */
export function std(values: readonly number[]): number {
  const m = mean(values);
  return Math.sqrt(mean(values.map((v) => (v - m) ** 2)));
}
