import type { Amplified } from "../record.ts";

/** A group that may train again. */
export interface ReplayEntry {
  readonly group: Amplified;
  /** Optimiser steps that have used it. */
  readonly uses: number;
  /** The last of them. */
  readonly lastStep: number;
}

/** What a run that resumes needs to go on as if it had not stopped; JSON. */
export interface ReplayState {
  readonly entries: readonly ReplayEntry[];
  /** Replay steps since groups were last sampled. */
  readonly replayed: number;
  /** Position of the next task. */
  readonly until: number;
}

/** Settings of the replay buffer. */
export interface ReplayOptions {
  /** Groups of one optimiser step, which is also how many are sampled at once. */
  readonly groups: number;
  /** Optimiser steps for one sampling: the first on what was sampled, the others from the buffer. 1 = no replay. */
  readonly stepsPerSample: number;
  /** Most steps that use one group. */
  readonly maxUses: number;
  /** How much a use lowers a group's priority, in policy versions. */
  readonly usePenalty: number;
  /** Steps that a group rests after a use. */
  readonly cooldown: number;
  /** Most groups that are kept. */
  readonly capacity: number;
}

/** Version of the policy that sampled a group, less a penalty for each use. */
export function priority({ group, uses }: ReplayEntry, usePenalty: number): number {
  const version = group.attempts.reduce((least, attempt) => Math.min(least, attempt.version), Infinity);
  return (Number.isFinite(version) ? version : 0) - usePenalty * uses;
}

/**
 * The entries that step `step` trains again: the `groups` of highest priority that are
 * neither used up nor resting, equals in the order of their tasks. None if there are fewer.
 */
export function chosenAt(
  step: number,
  entries: readonly ReplayEntry[],
  { groups, maxUses, usePenalty, cooldown }: ReplayOptions,
): readonly ReplayEntry[] {
  const ready = byPriority(entries, usePenalty)
    .filter(({ uses, lastStep }) => uses < maxUses && step - lastStep > cooldown);
  return ready.length < groups ? [] : ready.slice(0, groups);
}

/** The entries after step `step` has used `used`: used-up ones go, and those of lowest priority beyond the capacity. */
export function afterUse(
  step: number,
  entries: readonly ReplayEntry[],
  used: readonly ReplayEntry[],
  { maxUses, usePenalty, capacity }: ReplayOptions,
): readonly ReplayEntry[] {
  const now = new Set(used);
  const rest = entries.filter((entry) => !now.has(entry));
  const again = used.map(({ group, uses }) => ({ group, uses: uses + 1, lastStep: step }));
  const kept = [...rest, ...again].filter(({ uses }) => uses < maxUses);
  return byPriority(kept, usePenalty).slice(0, capacity);
}

function byPriority(entries: readonly ReplayEntry[], usePenalty: number): readonly ReplayEntry[] {
  return [...entries].sort((a, b) =>
    priority(b, usePenalty) - priority(a, usePenalty) || a.group.cursor - b.group.cursor
  );
}
