/**
 * The records that flow through the stages: each is a group, a task with all its
 * attempts, and each stage adds the fields that the next one requires.
 *
 * @module
 */
import type { ReplayState } from "./replay/replay_buffer.ts";
import type { EpisodeVerdict, Snapshot, Task } from "../envs/env.ts";

/** One assistant turn of an attempt. */
export interface AttemptTurn {
  /** Where this turn's user message begins in `ids` (the shared prefix of a retry at this turn ends here); 0 for turn 0. */
  readonly context: number;
  /** Sampled tokens are `ids[start..end)`. */
  readonly start: number;
  readonly end: number;
  /** The action that was read from the reply. */
  readonly action: string;
  /** What the environment answered. */
  readonly observation: string;
  /** Reward of this step; null when the environment failed. */
  readonly reward: number | null;
  readonly stopReason: "stop" | "length" | "context";
}

/**
 * An append-only list of token ids with what is known about each. `mask[t]` is 1
 * exactly where the policy sampled `ids[t]`; it is set at birth and never inferred
 * from ids. `ids`, `mask` and `logprobs` have equal length.
 */
export interface Tokens {
  readonly ids: readonly number[];
  readonly mask: readonly (0 | 1)[];
  /** Behaviour log-probability of sampled ids, 0 elsewhere. */
  readonly logprobs: readonly number[];
}

/** A finished (or failed) attempt at a task. */
export interface Attempt extends Tokens {
  /** 0-based among the base attempts of the group. */
  readonly index: number;
  readonly turns: readonly AttemptTurn[];
  /** Environment state before each turn: `snapshots[k]` precedes turn `k`. */
  readonly snapshots: readonly Snapshot[];
  /** Sum of step rewards; null when the environment failed and the attempt has no verdict. */
  readonly reward: number | null;
  readonly won: boolean;
  readonly truncated: boolean;
  /** The environment's verdict in one line. */
  readonly feedback: string;
  /** The verdict for statistics, where the environment gives one. */
  readonly verdict?: EpisodeVerdict;
  /** What the environment said before turn 0. */
  readonly firstObservation: string;
  /** Why the environment failed, if it did. */
  readonly failure?: string;
  /** Whether its first prompt shows a failed attempt, where a method mixes such rollouts with direct ones. */
  readonly reflective?: boolean;
  /** Version of the behaviour policy. */
  readonly version: number;
  /** Cache session that holds this attempt's tokens. */
  readonly session: string;
}

/** The reflection report of the R³L paper (section 3 of the released format). */
export interface Report {
  readonly trajectory_summary: string;
  readonly root_cause_analysis: string | null;
  readonly trajectory_outcome: "success" | "success_but_inefficient" | "failure";
  readonly improvement_suggestion: string | null;
  /** The pivot turn, 0-based; null only when the outcome is `success`. */
  readonly retry_from_step: number | null;
}

/** A reflection on one attempt: always its tokens, a report only if the reply was valid. */
export interface Diagnosis {
  /** Context and reply; `mask` is 1 on the reply. */
  readonly tokens: Tokens;
  readonly report: Report | null;
  /** Why there is no report: `truncated`, `no_json`, `bad_json`, `missing_key`, `bad_outcome`, `bad_suggestion`, `bad_pivot`, `not_asked`. */
  readonly invalid?: string;
}

/** A base attempt with its diagnosis. */
export interface DiagnosedAttempt extends Attempt {
  readonly diagnosis: Diagnosis;
}

/** A retry from the pivot of base attempt `base`, or of an earlier retry of it. */
export interface Retry {
  /** `index` of the base attempt. */
  readonly base: number;
  /** 0-based among the retries of this base. */
  readonly order: number;
  /** `order` of the retry that it branched off from; absent where that is the base attempt. */
  readonly parent?: number;
  /** Turn at which it branched off. */
  readonly pivot: number;
  /** Length in tokens of the prefix that both share, up to and including the assistant turn before the pivot. */
  readonly prefixLength: number;
  readonly guidance: string;
  /** As generated, guidance included; only new tokens have mask 1. */
  readonly guided: Attempt;
  /** What is trained: the same prefix ids and suffix, guidance dropped. */
  readonly distilled: Attempt;
  /** The restored environment answered differently from the base; if it did before the pivot, the retry starts at turn 0. */
  readonly diverged: boolean;
  /** The reflection on `distilled`, where another retry may follow. */
  readonly diagnosis?: Diagnosis;
}

/** A task at its position in the run; what `sample` takes. */
export interface TaskAt {
  readonly task: Task;
  /** 0-based; addresses the task's random numbers. */
  readonly cursor: number;
}

/** What `sample` adds. */
export interface Sampled extends TaskAt {
  readonly attempts: readonly Attempt[];
  /** What a teacher reads in place of every attempt's opening (the ids before its first reply). */
  readonly privileged?: readonly number[];
}

/** What `diagnose` adds. */
export interface Diagnosed extends Omit<Sampled, "attempts"> {
  readonly attempts: readonly DiagnosedAttempt[];
}

/** What `stitch` adds. */
export interface Stitched extends Diagnosed {
  readonly retries: readonly Retry[];
}

/** A row that will be trained: tokens with their place in the group. */
export interface Member extends Tokens {
  /**
   * A base attempt, a distilled retry, a reflection (Reflect-Retry-Reward trains those
   * alone), or a row of a data file that no policy here has sampled.
   */
  readonly kind: "base" | "retry" | "reflection" | "demonstration";
  /** `index` of the base attempt it is or belongs to. */
  readonly attempt: number;
  /** Of a retry: its `order` among those of the base attempt. */
  readonly order?: number;
  /** Pivot turn, or null for a base without retry. */
  readonly pivot: number | null;
  /** Tokens of the prefix shared with its partner; 0 without one. */
  readonly prefixLength: number;
  readonly won: boolean;
  /** null = not applicable: excluded from statistics and not trained. */
  readonly reward: number | null;
}

/** A verified correction for the auxiliary supervised tasks. */
export interface Auxiliary extends Tokens {
  readonly task: "reflect" | "retry";
  readonly attempt: number;
}

/** What `score` adds: members with rewards by one rule for base and retry. */
export interface Scored extends Stitched {
  readonly members: readonly Member[];
  readonly auxiliary: readonly Auxiliary[];
}

/** What `mask` adds: per member, 1 where a token may get gradient. */
export interface Masked extends Scored {
  readonly trainMasks: readonly (readonly (0 | 1)[])[];
}

/** What `amplify` adds: per member, its advantage. */
export interface Amplified extends Masked {
  readonly advantages: readonly number[];
  /** Per member, one advantage a token where they differ within a row (step-level credit); `advantages` then holds their means. */
  readonly tokenAdvantages?: readonly (readonly number[])[];
  /** All rewards of the group are equal: nothing to learn from. */
  readonly flat: boolean;
  /** Where more groups were sampled than are trained: how many for this step, and the cursor after the last one. */
  readonly drawn?: { readonly groups: number; readonly until: number };
  /** On the last group of a step, where groups are trained again: the replay buffer after it. */
  readonly replay?: ReplayState;
}

/** Metric name → value. */
export type Metrics = Readonly<Record<string, number>>;

/** What `update` returns for one optimiser step. */
export interface StepReport {
  /** 1-based. */
  readonly step: number;
  /** Position of the next task: all before it have been sampled. */
  readonly cursor: number;
  readonly groups: readonly Amplified[];
  readonly metrics: Metrics;
  /** The replay buffer after this step, where there is one. */
  readonly replay?: ReplayState;
}
