import { isHolder, isOpenable, roleOf, stages } from "../catalog.ts";
import { agent, type LabState, type Portion } from "./lab_state.ts";

/** What a command names: a thing, or a substance in a vessel. */
export type Referent =
  | { readonly thing: string; readonly portion?: undefined }
  | { readonly thing: string; readonly portion: Portion };

/** A holder that can be reached into. */
export function isReachable(state: LabState, holder: string): boolean {
  return !isOpenable(holder) || state.open.includes(holder);
}

/** What stands directly in a room or a holder or is carried, in order of code units. */
export function thingsAt(state: LabState, parent: string): string[] {
  return Object.keys(state.at).filter((thing) => state.at[thing] === parent).sort();
}

/** Everything in sight or in hand: in the room, in what is open there, carried. */
export function inScope(state: LabState): string[] {
  const here = thingsAt(state, state.room);
  const held = here.filter((thing) => isHolder(thing) && isReachable(state, thing))
    .flatMap((holder) => thingsAt(state, holder));
  return [...here, ...held, ...thingsAt(state, agent)].sort();
}

/** The room that a thing is in; the agent's for what it carries. */
export function roomOf(state: LabState, thing: string): string {
  let parent = state.at[thing];
  while (Object.hasOwn(state.at, parent)) parent = state.at[parent];
  return parent === agent ? state.room : parent;
}

/** The contents of a vessel; none of anything else. */
export function contentsOf(state: LabState, thing: string): readonly Portion[] {
  return state.contents[thing] ?? [];
}

/** A thing's name; a plant's tells its stage. */
export function nameOf(state: LabState, thing: string): string {
  return roleOf(thing) === "plant" ? `${thing} ${stages[state.growth[thing].stage]}` : thing;
}

/** A referent's name as it stands in texts. */
export function referentName(state: LabState, { thing, portion }: Referent): string {
  return portion === undefined ? nameOf(state, thing) : portion.substance;
}

/** Everything in scope that `text` may mean: `pan`, `water`, `water in pan`. */
export function resolve(state: LabState, text: string): Referent[] {
  return inScope(state).flatMap((thing): Referent[] => {
    if (nameOf(state, thing) === text) return [{ thing }];
    return contentsOf(state, thing)
      .filter(({ substance }) => substance === text || `${substance} in ${thing}` === text)
      .map((portion) => ({ thing, portion }));
  });
}
