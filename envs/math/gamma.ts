const lanczos = [
  0.99999999999980993,
  676.5203681218851,
  -1259.1392167224028,
  771.32342877765313,
  -176.61502916214059,
  12.507343278686905,
  -0.13857109526572012,
  9.9843695780195716e-6,
  1.5056327351493116e-7,
];

/** The gamma function of a real number (Lanczos, g = 7, relative error below 1e-13); exact factorials below 23. */
export function gamma(x: number): number {
  if (Number.isInteger(x) && x <= 23) {
    if (x <= 0) return NaN;
    let value = 1;
    for (let k = 2; k < x; k++) value *= k;
    return value;
  }
  if (x < 0.5) return Math.PI / (Math.sin(Math.PI * x) * gamma(1 - x));
  const t = x + 6.5;
  let sum = lanczos[0];
  for (let k = 1; k < lanczos.length; k++) sum += lanczos[k] / (x - 1 + k);
  return Math.sqrt(2 * Math.PI) * Math.pow(t, x - 0.5) * Math.exp(-t) * sum;
}
