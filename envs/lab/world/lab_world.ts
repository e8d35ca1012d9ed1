import type { Goal } from "../goal.ts";
import type { LabState } from "./lab_state.ts";

/** All that never changes in an episode. */
export interface LabWorld {
  readonly goal: Goal;
  readonly rooms: readonly string[];
  /** Neighbours of each room. */
  readonly neighbours: Readonly<Record<string, readonly string[]>>;
  /** `teleport to` is understood. */
  readonly teleport: boolean;
  /** An ambiguous command asks which thing is meant, instead of taking the first. */
  readonly menu: boolean;
  /** Devices that do not work. */
  readonly broken: readonly string[];
  readonly start: LabState;
}
