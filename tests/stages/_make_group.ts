/**
 * Small groups for tests: attempts are made turn by turn, so that ids, masks and
 * turns agree by construction.
 *
 * @module
 */
import type {
  Amplified,
  Attempt,
  Auxiliary,
  DiagnosedAttempt,
  Diagnosis,
  Member,
  Report,
  Retry,
  Stitched,
} from "../../stages/record.ts";

/** What varies between attempts; a turn is its action and its number of sampled tokens. */
export interface AttemptSpec {
  readonly index?: number;
  readonly turns: readonly (readonly [action: string, tokens: number])[];
  readonly reward?: number | null;
  readonly version?: number;
  /** First id of every sampled token, to tell rows apart. */
  readonly base?: number;
  /** Guidance tokens before turn `pivot` (a guided view). */
  readonly guidance?: number;
  /** Turns before this one were not sampled in this context: mask 0 (a guided view). */
  readonly pivot?: number;
}

/** Two prompt tokens, then per turn one token of context and the reply. */
export function attempt(spec: AttemptSpec): Attempt {
  const { index = 0, reward = 0, version = 0, base = 10, guidance = 0, pivot = 0 } = spec;
  const ids = [1, 2];
  const mask: (0 | 1)[] = [0, 0];
  const logprobs = [0, 0];
  const turns = spec.turns.map(([action, tokens], k) => {
    const context = k === 0 ? 0 : ids.length;
    const extra = k === pivot ? guidance : 0;
    for (let t = 0; t < 1 + extra; t++) {
      ids.push(3);
      mask.push(0);
      logprobs.push(0);
    }
    const start = ids.length;
    for (let t = 0; t < tokens; t++) {
      ids.push(base + k);
      mask.push(guidance > 0 && k < pivot ? 0 : 1);
      logprobs.push(-0.1 * (t + 1));
    }
    return {
      context,
      start,
      end: ids.length,
      action,
      observation: "ok",
      reward: 0,
      stopReason: "stop" as const,
    };
  });
  return {
    index,
    ids,
    mask,
    logprobs,
    turns,
    snapshots: turns.map((_, k) => k),
    reward,
    won: (reward ?? 0) >= 1,
    truncated: false,
    feedback: "",
    firstObservation: "",
    version,
    session: `s${index}`,
  };
}

/** A valid report that asks for a retry from `pivot`, or a claim of success. */
export function report(pivot: number | null): Report {
  return {
    trajectory_summary: "s",
    root_cause_analysis: null,
    trajectory_outcome: pivot === null ? "success" : "failure",
    improvement_suggestion: pivot === null ? null : "open it first",
    retry_from_step: pivot,
  };
}

/** An attempt with a diagnosis of three context and two reply tokens. */
export function diagnosed(spec: AttemptSpec, diagnosis: Partial<Diagnosis> = {}): DiagnosedAttempt {
  return {
    ...attempt(spec),
    diagnosis: {
      tokens: { ids: [1, 2, 3, 4, 5], mask: [0, 0, 0, 1, 1], logprobs: [0, 0, 0, -0.5, -0.5] },
      report: null,
      ...diagnosis,
    },
  };
}

/** A retry of `of` from `pivot`: its turns up to there, then `suffix`. */
export function retry(
  of: DiagnosedAttempt,
  pivot: number,
  suffix: AttemptSpec["turns"],
  reward: number | null,
  order = 0,
): Retry {
  const prefix = of.turns.slice(0, pivot).map((t) => [t.action, t.end - t.start] as const);
  const spec = { index: of.index, turns: [...prefix, ...suffix], reward, version: of.version };
  return {
    base: of.index,
    order,
    pivot,
    prefixLength: of.turns[pivot].context,
    guidance: "open it first",
    guided: attempt({ ...spec, guidance: 2, pivot }),
    distilled: attempt(spec),
    diverged: false,
  };
}

/** A group of these attempts and retries. */
export function stitched(attempts: readonly DiagnosedAttempt[], retries: readonly Retry[] = []): Stitched {
  return { task: { id: "toy/train/0", kind: "toy", payload: {} }, cursor: 0, attempts, retries };
}

/** A group given directly by training masks and advantages, with auxiliary rows of all-ones masks of these lengths. */
export function rowsGroup(spec: {
  readonly mask: readonly (readonly (0 | 1)[])[];
  readonly advantages: readonly number[];
  readonly rewards?: readonly (number | null)[];
  readonly kinds?: readonly Member["kind"][];
  readonly auxiliary?: readonly number[];
}): Amplified {
  const members = spec.mask.map((mask, i): Member => ({
    ids: mask.map((_, t) => 10 * (i + 1) + t),
    mask,
    logprobs: mask.map((m) => m * -0.5),
    kind: spec.kinds?.[i] ?? "base",
    attempt: i,
    pivot: null,
    prefixLength: 0,
    won: false,
    reward: spec.rewards === undefined ? i : spec.rewards[i],
  }));
  const auxiliary = (spec.auxiliary ?? []).map((length, k): Auxiliary => ({
    ids: Array.from({ length }, (_, t) => 100 * (k + 1) + t),
    mask: new Array<1>(length).fill(1),
    logprobs: new Array<number>(length).fill(-0.5),
    task: k % 2 === 0 ? "reflect" : "retry",
    attempt: 0,
  }));
  return {
    ...stitched([]),
    members,
    auxiliary,
    trainMasks: spec.mask,
    advantages: spec.advantages,
    flat: false,
  };
}
