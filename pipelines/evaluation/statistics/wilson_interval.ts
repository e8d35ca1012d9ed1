/**
 * The 95 % Wilson score interval of a proportion: `successes` of `trials`
 * (Wilson 1927). [0, 1] without trials.
 */
export function wilsonInterval(successes: number, trials: number): readonly [number, number] {
  if (trials === 0) return [0, 1];
  const z = 1.959963984540054;
  const p = successes / trials;
  const centre = p + z * z / (2 * trials);
  const spread = z * Math.sqrt(p * (1 - p) / trials + z * z / (4 * trials * trials));
  const scale = 1 + z * z / trials;
  return [Math.max(0, (centre - spread) / scale), Math.min(1, (centre + spread) / scale)];
}
