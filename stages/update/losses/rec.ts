import type { Loss, LossOptions, LossRows } from "../loss.ts";
import { advantageAt, detachedRatio, mapTokens } from "./_map_tokens.ts";

/**
 * The REINFORCE-with-clipping family (arXiv 2509.24203): L = −A'·log π for ratios
 * in range, 0 else, with A' = A, sg[r]·A or exp(A/temperature)·A, plus an optional
 * pull to the behaviour policy: k2 = ½(log π − log π_old)² or forward KL = −log π.
 */
export function rec(options: LossOptions = {}): Loss {
  const { weight = "none", temperature = 1, regulariser = "none", regulariserCoefficient = 0 } = options;
  return {
    needsLogprobs: (options.range ?? "one-side") !== "none" || weight === "ratio" || regulariser === "k2",
    aggregation: "token-mean",
    perToken: (rows) => ({
      ...mapTokens(rows, (i, t) => {
        let loss = 0;
        let dLogp = 0;
        if (isInRange(rows, i, t, options)) {
          const a = advantageAt(rows, i, t);
          const factor = weight === "ratio"
            ? detachedRatio(rows, i, t)
            : weight === "advantage"
            ? Math.exp(a / temperature)
            : 1;
          loss = -a * factor * rows.logp[i][t];
          dLogp = -a * factor;
        }
        if (regulariser === "k2") {
          const d = rows.logp[i][t] - rows.oldLogp[i][t];
          loss += regulariserCoefficient * d * d / 2;
          dLogp += regulariserCoefficient * d;
        } else if (regulariser === "forward-kl") {
          loss -= regulariserCoefficient * rows.logp[i][t];
          dLogp -= regulariserCoefficient;
        }
        return [loss, dLogp];
      }),
      metrics: {},
    }),
  };
}

function isInRange(rows: LossRows, i: number, t: number, options: LossOptions): boolean {
  const { range = "one-side", clipLow = 0.2, clipHigh = 0.2, outerLow = 0.6, outerHigh = 2 } = options;
  const a = advantageAt(rows, i, t);
  const r = detachedRatio(rows, i, t);
  const between = r >= 1 - clipLow && r <= 1 + clipHigh;
  switch (range) {
    case "none":
      return true;
    case "one-side":
      return (a >= 0 && r <= 1 + clipHigh) || (a <= 0 && r >= 1 - clipLow);
    case "two-side":
      return between;
    case "ring":
      return between || (a >= 0 && r <= 1 - outerLow) || (a <= 0 && r >= 1 + outerHigh);
  }
}
