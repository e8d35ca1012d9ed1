/**
 * Estimators of KL(π‖π_ref) from one sampled token, with d = log π − log π_ref:
 * k1 = d, k2 = d²/2, k3 = e^(−d) − 1 + d, abs = |d|
 * (http://joschu.net/blog/kl-approx.html).
 */
export type KlEstimator = "k1" | "k2" | "k3" | "abs";

/** Value of the estimator and its derivative by log π. */
export function kl(estimator: KlEstimator, logp: number, refLogp: number): [value: number, dLogp: number] {
  const d = logp - refLogp;
  switch (estimator) {
    case "k1":
      return [d, 1];
    case "k2":
      return [d * d / 2, d];
    case "k3":
      return [Math.exp(-d) - 1 + d, 1 - Math.exp(-d)];
    case "abs":
      return [Math.abs(d), Math.sign(d)];
  }
}
