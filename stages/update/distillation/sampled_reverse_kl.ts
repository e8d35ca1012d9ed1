import type { SampledFormOptions } from "./distillation_options.ts";

/** Least log-probability that a teacher is believed: below, one token would outweigh the batch. */
export const LEAST_LOGPROB = -100;

/** Rows of {@link sampledReverseKl}: log-probabilities of the sampled tokens, one entry a token. */
export interface SampledRows {
  readonly logp: readonly ArrayLike<number>[];
  /** Those of the policy that sampled. */
  readonly oldLogp: readonly ArrayLike<number>[];
  readonly teacherLogp: readonly ArrayLike<number>[];
  readonly mask: readonly ArrayLike<number>[];
}

/** Per token: loss and its derivative by `logp`; both 0 where the mask is 0. */
export interface SampledKl {
  readonly loss: readonly Float64Array[];
  readonly dLogp: readonly Float64Array[];
  /** Tokens whose teacher's log-probability was raised to {@link LEAST_LOGPROB}. */
  readonly raised: number;
}

/**
 * KL(π‖π_T) from the sampled token alone, with d = log π − log π_T:
 * - `k1`: L = r·A, r = π/π_old, A_t = Σ_j γ^j (log π_old − log π_T)_{t+j} over the row's
 *   trained tokens, as the tinker cookbook's policy gradient; on-policy ∂L/∂log π = d;
 * - `k2`: L = d²/2, differentiated, ∂L = d: the same gradient;
 * - `k3`: L = e^(−d) − 1 + d, differentiated (verl's default). Its mean is the reverse
 *   KL, its expected gradient that of the forward KL(π_T‖π).
 * Differentiating d itself would have expectation 0 and teach nothing.
 */
export function sampledReverseKl(rows: SampledRows, options: SampledFormOptions = {}): SampledKl {
  const { estimator = "k1", discount = 0 } = options;
  let raised = 0;
  const loss: Float64Array[] = [];
  const dLogp: Float64Array[] = [];
  rows.mask.forEach((mask, i) => {
    const [logp, old, given] = [rows.logp[i], rows.oldLogp[i], rows.teacherLogp[i]];
    const l = new Float64Array(mask.length);
    const d = new Float64Array(mask.length);
    let later = 0;
    for (let t = mask.length - 1; t >= 0; t--) {
      if (!mask[t]) continue;
      if (given[t] < LEAST_LOGPROB) raised++;
      const teacher = Math.max(given[t], LEAST_LOGPROB);
      const gap = logp[t] - teacher;
      if (estimator === "k1") {
        later = old[t] - teacher + discount * later;
        l[t] = Math.exp(logp[t] - old[t]) * later;
        d[t] = l[t];
      } else if (estimator === "k2") {
        l[t] = gap * gap / 2;
        d[t] = gap;
      } else {
        l[t] = Math.exp(-gap) - 1 + gap;
        d[t] = 1 - Math.exp(-gap);
      }
    }
    loss.push(l);
    dLogp.push(d);
  });
  return { loss, dLogp, raised };
}
