import { metricNames } from "../../metrics/metric_names.ts";
import type { Loss, LossOptions, LossRows } from "../loss.ts";
import { advantageAt, mapTokens } from "./_map_tokens.ts";
import { type DpoPair, dpoPairs } from "./dpo_pairs.ts";

/**
 * Direct preference optimisation (arXiv 2305.18290): {@link dpoPairs} on the summed
 * log-probabilities of the trained tokens. A pair is the row with A > 0 (chosen) and the
 * row with A < 0 (rejected) of one group; rows with A = 0 do not train. Each row carries
 * its pair's whole loss, spread over its tokens, which under the default aggregation
 * `seq-mean-token-sum` gives the mean over pairs and its exact derivative.
 *
 * Throws RangeError without reference log-probabilities, and for a group with another
 * number of chosen and rejected rows than one each.
 */
export function dpo({ beta = 0.1, smoothing = 0 }: LossOptions = {}): Loss {
  return {
    needsLogprobs: true,
    needsReference: true,
    comparesRows: true,
    readsOffPolicy: true,
    aggregation: "seq-mean-token-sum",
    perToken: (rows) => {
      const found = pairsOf(rows);
      const share = new Float64Array(rows.mask.length);
      const slope = new Float64Array(rows.mask.length);
      let right = 0;
      let margin = 0;
      for (const { i, j, pair } of found) {
        const { value, dChosen, dRejected } = dpoPairs([pair], beta, smoothing);
        share[i] = value / tokensOf(rows, i);
        share[j] = value / tokensOf(rows, j);
        // Two rows a pair: their mean counts each derivative half.
        slope[i] = 2 * dChosen[0];
        slope[j] = 2 * dRejected[0];
        const z = (pair.chosen - pair.refChosen) - (pair.rejected - pair.refRejected);
        right += Number(z > 0) / found.length;
        margin += beta * z / found.length;
      }
      return {
        ...mapTokens(rows, (i) => [share[i], slope[i]]),
        metrics: found.length === 0
          ? {}
          : { [metricNames.preferenceAccuracy]: right, [metricNames.preferenceMargin]: margin },
      };
    },
  };
}

interface FoundPair {
  readonly i: number;
  readonly j: number;
  readonly pair: DpoPair;
}

function pairsOf(rows: LossRows): readonly FoundPair[] {
  const { refLogp } = rows;
  if (refLogp === undefined) throw new RangeError("Cannot compute dpo: no reference log-probabilities");
  const byGroup = new Map<number, { chosen: number[]; rejected: number[] }>();
  rows.mask.forEach((_, i) => {
    const a = rowAdvantage(rows, i);
    if (a === 0) return;
    const group = rows.groups?.[i] ?? 0;
    const sides = byGroup.get(group) ?? { chosen: [], rejected: [] };
    sides[a > 0 ? "chosen" : "rejected"].push(i);
    byGroup.set(group, sides);
  });
  return [...byGroup].map(([group, { chosen, rejected }]) => {
    if (chosen.length !== 1 || rejected.length !== 1) {
      throw new RangeError(
        `Cannot compute dpo: group ${group} has ${chosen.length} chosen and ${rejected.length} rejected rows`,
      );
    }
    const [i] = chosen;
    const [j] = rejected;
    return {
      i,
      j,
      pair: {
        chosen: sumOf(rows, rows.logp, i),
        rejected: sumOf(rows, rows.logp, j),
        refChosen: sumOf(rows, refLogp, i),
        refRejected: sumOf(rows, refLogp, j),
      },
    };
  });
}

/** The advantage of a row's first trained token: all of its tokens have its sign. */
function rowAdvantage(rows: LossRows, i: number): number {
  const mask = rows.mask[i];
  for (let t = 0; t < mask.length; t++) if (mask[t]) return advantageAt(rows, i, t);
  return 0;
}

function sumOf(rows: LossRows, logp: readonly ArrayLike<number>[], i: number): number {
  let sum = 0;
  for (let t = 0; t < rows.mask[i].length; t++) if (rows.mask[i][t]) sum += logp[i][t];
  return sum;
}

function tokensOf(rows: LossRows, i: number): number {
  let n = 0;
  for (let t = 0; t < rows.mask[i].length; t++) n += Number(rows.mask[i][t] !== 0);
  return n;
}
