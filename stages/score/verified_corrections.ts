import type { Auxiliary, DiagnosedAttempt, Retry, Stitched } from "../record.ts";

/** Which corrections become supervised data. */
export interface VerifyOptions {
  /**
   * `improved`: R' > R (R³L's paper); `released`: R' ≥ 1 and either R' > R or
   * fewer turns than the base (the rule of its code). Default `improved`.
   */
  readonly verify?: "improved" | "released";
  /** A right `success` verdict adds its reflection, as in the released code. Default false. */
  readonly auxiliarySuccess?: boolean;
  /**
   * A reflection counts as verified only if the retry's first action differs from
   * the base's at that turn: an early pivot alone also gives a retry more turns,
   * and would be learned. Default true.
   */
  readonly reflectRequiresChange?: boolean;
}

/**
 * The two auxiliary supervised tasks of R³L: reflections that led to a verified
 * improvement (at most one row a base) and the guided retries themselves (new
 * tokens only, with the guidance in context).
 *
 * `retryRewards[i]` belongs to `group.retries[i]`; null rewards verify nothing.
 */
export function verifiedCorrections(
  group: Stitched,
  baseRewards: ReadonlyMap<number, number | null>,
  retryRewards: readonly (number | null)[],
  options: VerifyOptions = {},
): readonly Auxiliary[] {
  const rule = options.verify ?? "improved";
  const requiresChange = options.reflectRequiresChange ?? true;
  const reflect: Auxiliary[] = [];
  const retry: Auxiliary[] = [];
  for (const base of group.attempts) {
    const before = baseRewards.get(base.index) ?? null;
    if (before === null) continue;
    let reflected = options.auxiliarySuccess === true && before >= 1 &&
      base.diagnosis.report?.trajectory_outcome === "success";
    group.retries.forEach((candidate, i) => {
      const after = retryRewards[i];
      if (candidate.base !== base.index || after === null) return;
      if (!isVerified(rule, before, after, base, candidate)) return;
      retry.push(guidedRow(candidate));
      if (!requiresChange || changesAction(base, candidate)) reflected = true;
    });
    if (reflected) reflect.push(reflectRow(base));
  }
  return [...reflect, ...retry];
}

function isVerified(
  rule: "improved" | "released",
  before: number,
  after: number,
  base: DiagnosedAttempt,
  retry: Retry,
): boolean {
  if (rule === "improved") return after > before;
  return after >= 1 && (after > before || retry.distilled.turns.length < base.turns.length);
}

function changesAction(base: DiagnosedAttempt, retry: Retry): boolean {
  const action = retry.distilled.turns[retry.pivot]?.action;
  return action !== undefined && action !== base.turns[retry.pivot]?.action;
}

function reflectRow(base: DiagnosedAttempt): Auxiliary {
  const { ids, mask, logprobs } = base.diagnosis.tokens;
  return { task: "reflect", attempt: base.index, ids, mask, logprobs };
}

function guidedRow(retry: Retry): Auxiliary {
  const { ids, mask, logprobs } = retry.guided;
  const suffix = mask.map((m, t) => t < retry.prefixLength ? 0 : m);
  return { task: "retry", attempt: retry.base, ids, mask: suffix, logprobs };
}
