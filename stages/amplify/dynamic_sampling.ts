import { Stream } from "effect";
import type { Amplified } from "../record.ts";
import type { Stage } from "../stage.ts";

/** Settings of {@link dynamicSampling}. */
export interface DynamicSamplingOptions {
  /** Groups of one optimiser step, which is also how many one round samples. */
  readonly groups: number;
  /** Most rounds of sampling for one step; 1 changes nothing. */
  readonly rounds: number;
  /** Whether a group teaches: its attempts differ in success, or its rewards differ. Default `success`. */
  readonly by?: "success" | "reward";
}

interface State {
  readonly useful: readonly Amplified[];
  readonly flat: readonly Amplified[];
  readonly round: number;
}

const EMPTY: State = { useful: [], flat: [], round: 0 };

/**
 * Dynamic sampling (DAPO, arXiv 2503.14476, section 3.2): goes on sampling rounds of
 * `groups` groups until as many teach something, and hands those on. Whole groups pass
 * or go, never single members. After `rounds` rounds the step is filled up with groups
 * that teach nothing: tasks that are all solved (or all hopeless) end in steps that
 * report it, not in a run that samples for ever. What is beyond `groups` is dropped, as
 * its policy will be old in the next step. Each group says how many were sampled for
 * its step and where the tasks go on (`drawn`).
 */
export function dynamicSampling(options: DynamicSamplingOptions): Stage<Amplified, Amplified> {
  const { groups: wanted, rounds, by = "success" } = options;
  return (self) =>
    self.pipe(
      Stream.grouped(wanted),
      Stream.mapAccum(() => EMPTY, (state: State, round) => {
        const useful = [...state.useful, ...round.filter((group) => teaches(group, by))];
        const flat = [...state.flat, ...round.filter((group) => !teaches(group, by))];
        const next: State = { useful, flat, round: state.round + 1 };
        if (useful.length < wanted && next.round < rounds) return [next, []] as const;
        const until = round.reduce((last, { cursor }) => Math.max(last, cursor), 0) + 1;
        const drawn = { groups: useful.length + flat.length, until };
        return [
          EMPTY,
          inOrder([...useful, ...flat].slice(0, wanted)).map((group) => ({ ...group, drawn })),
        ] as const;
      }),
    );
}

/** Whether the rewarded members of a group differ. */
function teaches(group: Amplified, by: "success" | "reward"): boolean {
  if (by === "reward") return !group.flat;
  const won = group.members.filter(({ reward }) => reward !== null).map((member) => member.won);
  return won.includes(true) && won.includes(false);
}

function inOrder(groups: readonly Amplified[]): readonly Amplified[] {
  return [...groups].sort((a, b) => a.cursor - b.cursor);
}
