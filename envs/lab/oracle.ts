import { fullBelief } from "./agent/full_belief.ts";
import { plan } from "./agent/plan.ts";
import type { LabState } from "./world/lab_state.ts";
import type { LabWorld } from "./world/lab_world.ts";
import { perform } from "./world/perform.ts";
import { isWon } from "./world/progress.ts";

/** Longest plan that is tried. */
const longest = 80;

/**
 * Commands that win from a state, with knowledge of all of it; empty if the episode
 * is decided or no plan works. Every command is tried on the way.
 */
export function oracle(world: LabWorld, start: LabState): string[] {
  const commands: string[] = [];
  let state = start;
  while (state.lost === null && !isWon(world, state) && commands.length < longest) {
    // An empty line cancels a question.
    const action = state.pending.length > 0 ? "" : plan(fullBelief(world, state)).action;
    state = perform(world, state, action).state;
    commands.push(action);
  }
  return isWon(world, state) ? commands : [];
}
