/** A mean and half the width of its 95 % interval; null for a single value. */
export interface Interval {
  readonly mean: number;
  readonly half: number | null;
  readonly n: number;
}

/** The 97.5 % quantile of Student's t distribution with 1 to 30 degrees of freedom. */
const quantiles = [
  ...[12.7062, 4.30265, 3.18245, 2.77645, 2.57058, 2.44691, 2.36462, 2.306, 2.26216, 2.22814],
  ...[2.20099, 2.17881, 2.16037, 2.14479, 2.13145, 2.11991, 2.10982, 2.10092, 2.09302, 2.08596],
  ...[2.07961, 2.07387, 2.06866, 2.0639, 2.05954, 2.05553, 2.05183, 2.04841, 2.04523, 2.04227],
];

/**
 * Mean of at least one value ± t·s/√n, with Student's t at n − 1 degrees of freedom and
 * the sample's standard deviation s (n − 1 in the divisor): the 95 % interval of the mean
 * of normal values.
 */
export function studentInterval(values: readonly number[]): Interval {
  const n = values.length;
  const mean = values.reduce((a, b) => a + b, 0) / n;
  if (n === 1) return { mean, half: null, n };
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1);
  return { mean, half: quantile(n - 1) * Math.sqrt(variance / n), n };
}

/** Beyond the table: the Cornish-Fisher expansion (Abramowitz and Stegun 26.7.5), right to 10⁻⁵ there. */
function quantile(freedom: number): number {
  if (freedom <= quantiles.length) return quantiles[freedom - 1];
  const z = 1.959963984540054;
  return z + (z ** 3 + z) / (4 * freedom) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2) +
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * freedom ** 3);
}
