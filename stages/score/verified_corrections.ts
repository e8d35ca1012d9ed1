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
 * improvement on the attempt that they judge (at most one row an attempt) and the
 * guided retries themselves (new tokens only, with the guidance in context).
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
  for (const { attempt, parent, before } of judgedAttempts(group, baseRewards, retryRewards)) {
    let reflected = options.auxiliarySuccess === true && before >= 1 &&
      attempt.diagnosis.report?.trajectory_outcome === "success";
    group.retries.forEach((candidate, i) => {
      const after = retryRewards[i];
      if (candidate.base !== attempt.index || candidate.parent !== parent || after === null) return;
      if (!isVerified(rule, before, after, attempt, candidate)) return;
      retry.push(guidedRow(candidate));
      if (!requiresChange || changesAction(attempt, candidate)) reflected = true;
    });
    if (reflected) reflect.push(reflectRow(attempt));
  }
  return [...reflect, ...retry];
}

interface Judged {
  readonly attempt: DiagnosedAttempt;
  /** Its order, if it is a retry. */
  readonly parent: number | undefined;
  readonly before: number;
}

/** The attempts with a reward that a report may judge: base attempts, each with its retries that were reflected on. */
function judgedAttempts(
  group: Stitched,
  baseRewards: ReadonlyMap<number, number | null>,
  retryRewards: readonly (number | null)[],
): readonly Judged[] {
  return group.attempts.flatMap((attempt): Judged[] => {
    const before = baseRewards.get(attempt.index) ?? null;
    const own = before === null ? [] : [{ attempt, parent: undefined, before }];
    const retries = group.retries.flatMap(({ base, order, distilled, diagnosis }, i): Judged[] => {
      const reward = retryRewards[i];
      if (base !== attempt.index || diagnosis === undefined || reward === null) return [];
      return [{ attempt: { ...distilled, diagnosis }, parent: order, before: reward }];
    });
    return [...own, ...retries];
  });
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
