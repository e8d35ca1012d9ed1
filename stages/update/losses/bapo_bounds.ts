import type { LossRows } from "../loss.ts";
import { advantageAt, detachedRatio } from "./_map_tokens.ts";

/** Where the search for BAPO's bounds starts, stops and how it steps. */
export interface BapoSearch {
  readonly low: number;
  readonly maxLow: number;
  readonly stepLow: number;
  readonly high: number;
  readonly maxHigh: number;
  readonly stepHigh: number;
  /** Which bound moves until it is exhausted. */
  readonly first: "low" | "high";
  /** Aim for positive/(positive + negative), or for positive/negative. */
  readonly balance: "share" | "quotient";
  readonly target: number;
}

/** Bounds found by {@link bapoBounds}. */
export interface BapoBounds {
  readonly low: number;
  readonly high: number;
  readonly balance: number;
  readonly iterations: number;
}

/** The clip bounds for these rows, absolute values of the ratio. */
export function bapoBounds(rows: LossRows, search: BapoSearch): BapoBounds {
  let low: number = search.low;
  let high: number = search.high;
  let iterations = 0;
  const tolerance = 1e-9;
  for (;;) {
    const balance = balanceAt(rows, low, high, search.balance);
    const canLow = low < search.maxLow - tolerance;
    const canHigh = high < search.maxHigh - tolerance;
    if (balance >= search.target || (!canLow && !canHigh)) return { low, high, balance, iterations };
    if (search.first === "low" ? canLow : !canHigh) low = Math.min(search.maxLow, low + search.stepLow);
    else high = Math.min(search.maxHigh, high + search.stepHigh);
    iterations++;
  }
}

/** Positive contribution min(r, high)·A over the sum (or over the negative part) max(r, low)·|A|; Infinity if nothing is negative. */
function balanceAt(rows: LossRows, low: number, high: number, kind: "share" | "quotient"): number {
  let positive = 0;
  let negative = 0;
  rows.mask.forEach((mask, i) => {
    for (let t = 0; t < mask.length; t++) {
      if (!mask[t]) continue;
      const a = advantageAt(rows, i, t);
      const r = detachedRatio(rows, i, t);
      if (a >= 0) positive += Math.min(r, high) * a;
      else negative += Math.max(r, low) * -a;
    }
  });
  if (negative === 0) return kind === "share" ? 1 : Infinity;
  return kind === "share" ? positive / (positive + negative) : positive / negative;
}
