import type { LossRows } from "../loss.ts";

/** What a loss says about one token: value, derivative by logp. */
export type TokenValue = readonly [loss: number, dLogp: number];

/**
 * Evaluates `token` at every position with mask 1. Positions with mask 0 are never
 * computed, so they are exactly 0 whatever their log-probabilities are (even NaN).
 */
export function mapTokens(
  rows: LossRows,
  token: (row: number, t: number) => TokenValue,
): { loss: Float64Array[]; dLogp: Float64Array[] } {
  const n = rows.mask.length;
  if (rows.logp.length !== n || rows.oldLogp.length !== n || rows.advantages.length !== n) {
    throw new RangeError(
      `Cannot compute a loss: ${n} masks, ${rows.logp.length} logp, ${rows.oldLogp.length} oldLogp, ` +
        `${rows.advantages.length} advantages`,
    );
  }
  const loss: Float64Array[] = [];
  const dLogp: Float64Array[] = [];
  for (let i = 0; i < n; i++) {
    const mask = rows.mask[i];
    if (rows.logp[i].length !== mask.length || rows.oldLogp[i].length !== mask.length) {
      throw new RangeError(
        `Cannot compute a loss: row ${i} has ${mask.length} mask entries, ` +
          `${rows.logp[i].length} logp, ${rows.oldLogp[i].length} oldLogp`,
      );
    }
    const l = new Float64Array(mask.length);
    const d = new Float64Array(mask.length);
    for (let t = 0; t < mask.length; t++) {
      if (mask[t]) [l[t], d[t]] = token(i, t);
    }
    loss.push(l);
    dLogp.push(d);
  }
  return { loss, dLogp };
}

/** Masked mean over all tokens of the rows; 0 of none. */
export function meanOverTokens(rows: LossRows, value: (row: number, t: number) => number): number {
  let sum = 0;
  let count = 0;
  rows.mask.forEach((mask, i) => {
    for (let t = 0; t < mask.length; t++) {
      if (mask[t]) {
        sum += value(i, t);
        count++;
      }
    }
  });
  return count === 0 ? 0 : sum / count;
}

/** The advantage of a token. */
export function advantageAt(rows: LossRows, i: number, t: number): number {
  const a = rows.advantages[i];
  return typeof a === "number" ? a : a[t];
}

/** The importance ratio π / π_old of a token. */
export function ratioOf(rows: LossRows, i: number, t: number): number {
  return Math.exp(rows.logp[i][t] - rows.oldLogp[i][t]);
}

/** The same from detached log-probabilities: a constant for differentiation. */
export function detachedRatio(rows: LossRows, i: number, t: number): number {
  return Math.exp((rows.detachedLogp ?? rows.logp)[i][t] - rows.oldLogp[i][t]);
}

/** `value` limited to [low, high]. */
export function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}
