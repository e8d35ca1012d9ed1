import type { LabState } from "../lab_state.ts";
import type { LabWorld } from "../lab_world.ts";
import type { Referent } from "../scope.ts";

/** What a command does: a refusal, or a new state, what is said, and the time it takes. */
export type Outcome =
  | { readonly refusal: string }
  | { readonly refusal?: undefined; readonly state: LabState; readonly text: string; readonly ticks: number };

/** A command of the form `word`, `word A`, or `word A between B`. */
export interface Verb {
  readonly word: string;
  /** The word between two arguments. */
  readonly between?: string;
  /** What an argument names: nothing, what is in scope, or a room. */
  readonly takes: "nothing" | "referent" | "room";
  /** For the list of commands: what may stand first and second. All if left out. */
  readonly first?: (referent: Referent) => boolean;
  readonly second?: (referent: Referent) => boolean;
  readonly run: (world: LabWorld, state: LabState, a: Referent, b: Referent, room: string) => Outcome;
}

/** An outcome that only tells something and takes no time. */
export function tells(state: LabState, text: string): Outcome {
  return { state, text, ticks: 0 };
}

/** An outcome that takes one tick. */
export function does(state: LabState, text: string): Outcome {
  return { state, text, ticks: 1 };
}

/** A command that is understood and cannot be done. */
export function refuses(refusal: string): Outcome {
  return { refusal };
}
