/** Summed log-probabilities of one preference pair. */
export interface DpoPair {
  readonly chosen: number;
  readonly rejected: number;
  readonly refChosen: number;
  readonly refRejected: number;
}

/** Mean loss over pairs and its derivatives by each pair's summed log-probabilities. */
export interface DpoLoss {
  readonly value: number;
  readonly dChosen: readonly number[];
  readonly dRejected: readonly number[];
}

/**
 * Direct preference optimisation (arXiv 2305.18290, equation 7), one logit a pair:
 * L = −(1 − s)·log σ(βz) − s·log σ(−βz), z = (chosen − refChosen) − (rejected −
 * refRejected), s = `smoothing`. Every token of a row shares its row's derivative.
 */
export function dpoPairs(pairs: readonly DpoPair[], beta = 0.1, smoothing = 0): DpoLoss {
  let value = 0;
  const dChosen = pairs.map((pair) => {
    const z = beta * ((pair.chosen - pair.refChosen) - (pair.rejected - pair.refRejected));
    value += ((1 - smoothing) * softplus(-z) + smoothing * softplus(z)) / pairs.length;
    return (sigmoid(z) - 1 + smoothing) * beta / pairs.length;
  });
  return { value, dChosen, dRejected: dChosen.map((d) => -d) };
}

function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

/** log(1 + eˣ) = −log σ(−x), without overflow. */
function softplus(x: number): number {
  return Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
}
