import { Stream } from "effect";
import type { Amplified } from "../record.ts";
import type { Stage } from "../stage.ts";
import { afterUse, chosenAt, type ReplayOptions, type ReplayState } from "./replay_buffer.ts";

/** Where the stage begins. */
export interface ReplayStart {
  /** Number of the first optimiser step. Default 1. */
  readonly firstStep?: number;
  /** What a run that resumes had kept. Default nothing. */
  readonly state?: ReplayState;
}

/** Before which step, with which buffer. */
interface Now {
  readonly step: number;
  readonly state: ReplayState;
}

/** Groups handed on, and where that leads. */
interface Made {
  readonly out: readonly Amplified[];
  readonly now: Now;
}

/**
 * Several optimiser steps for one sampling (R³L's S > 1 with a replay buffer): after each
 * step on fresh groups, up to `stepsPerSample` − 1 steps on the groups of highest
 * priority in the buffer; fewer if too few are ready. Groups are handed on whole, with
 * the probabilities that they were sampled with, so a loss of ratios sees how far the
 * policy has moved. The last group of each step carries the buffer (`replay`), from which
 * a run resumes.
 */
export function replay(options: ReplayOptions & ReplayStart): Stage<Amplified, Amplified> {
  const { groups, stepsPerSample, maxUses, firstStep = 1, state } = options;
  if (stepsPerSample === 1 || maxUses === 1) return (self) => self;
  const empty = { entries: [], replayed: 0, until: 0 };
  // A run that stopped between a sampling and its last replay goes on there.
  const resumed: Made = state === undefined
    ? { out: [], now: { step: firstStep, state: empty } }
    : fromBuffer({ step: firstStep, state }, options);
  return (self) =>
    Stream.concat(
      Stream.fromIterable(resumed.out),
      self.pipe(
        Stream.grouped(groups),
        Stream.mapAccum(() => resumed.now, (before: Now, fresh: readonly Amplified[]) => {
          const first = onFresh(before, fresh, options);
          const { out, now } = fromBuffer(first.now, options);
          return [now, [...first.out, ...out]] as const;
        }),
      ),
    );
}

function onFresh({ step, state }: Now, fresh: readonly Amplified[], options: ReplayOptions): Made {
  const used = fresh.map((group) => ({ group, uses: 0, lastStep: 0 }));
  const after: ReplayState = {
    entries: afterUse(step, [...state.entries, ...used], used, options),
    replayed: 0,
    until: fresh.reduce((last, { drawn, cursor }) => Math.max(last, drawn?.until ?? cursor + 1), state.until),
  };
  return { out: carrying(fresh, after), now: { step: step + 1, state: after } };
}

/** As many steps from the buffer as are due and can be filled. */
function fromBuffer(from: Now, options: ReplayOptions): Made {
  const out: Amplified[] = [];
  let { step, state } = from;
  while (state.replayed < options.stepsPerSample - 1) {
    const chosen = chosenAt(step, state.entries, options);
    if (chosen.length === 0) break;
    const entries = afterUse(step, state.entries, chosen, options);
    state = { ...state, entries, replayed: state.replayed + 1 };
    // No task was drawn for this step.
    const drawn = { groups: 0, until: state.until };
    out.push(...carrying(chosen.map(({ group }) => ({ ...group, drawn })), state));
    step++;
  }
  return { out, now: { step, state } };
}

function carrying(groups: readonly Amplified[], state: ReplayState): readonly Amplified[] {
  return groups.map((group, k) => (k === groups.length - 1 ? { ...group, replay: state } : group));
}
