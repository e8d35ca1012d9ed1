import { type Homes, isOpenable, roleOf } from "../catalog.ts";
import type { Belief } from "./belief.ts";

/** What a step is for. */
export type StepKind =
  | "look"
  | "focus"
  | "place"
  | "activate"
  | "wait"
  | "measure"
  | "connect"
  | "water"
  | "pour"
  | "mix"
  | "box";

/** The next command of an agent and what it is for. */
export interface PlanStep {
  readonly action: string;
  /** An end on the way, such as `look in garden` or `move pan to stove`. */
  readonly subgoal: string;
  readonly kind: StepKind;
}

/** A step whose command is `before`, if something must come first, else its end. */
export function towards(kind: StepKind, before: string | null, subgoal: string): PlanStep {
  return { action: before ?? subgoal, subgoal, kind };
}

/** With nothing left to try an agent looks around. */
export const idle: PlanStep = { action: "look around", subgoal: "look around", kind: "look" };

/** Weight of a room that is no home of what is looked for. */
const elsewhere = 0.3;

/** Weight of a closed cupboard beside that of its room. */
const inside = 0.45;

/** The command towards being in a room; null when there. */
export function goTo(belief: Belief, room: string): string | null {
  if (belief.room === room) return null;
  if (belief.teleport) return `teleport to ${room}`;
  const step = firstRoom(belief, (other) => other === room) ??
    firstRoom(belief, (other) => !belief.seen.has(other)) ?? "";
  if (step === "") return "look around";
  return belief.doors.get(belief.room)?.get(step) === false ? `open door to ${step}` : `go to ${step}`;
}

/** The first room on a shortest known way to a room that is wanted. */
function firstRoom(belief: Belief, wanted: (room: string) => boolean): string | null {
  const first = new Map<string, string>([[belief.room, ""]]);
  for (const room of first.keys()) {
    if (room !== belief.room && wanted(room)) return first.get(room)!;
    for (const next of belief.doors.get(room)?.keys() ?? []) {
      if (!first.has(next)) first.set(next, room === belief.room ? next : first.get(room)!);
    }
  }
  return null;
}

/** The command towards having a seen thing in scope; null when it is. */
export function reach(belief: Belief, thing: string): string | null {
  const away = belief.isCarried(thing) ? null : goTo(belief, belief.roomOf(thing)!);
  if (away !== null) return away;
  const lid = belief.lid(thing);
  return lid === null ? null : `open ${lid}`;
}

/** The command towards having a seen thing in a room, in hand or not; null when it is. */
export function bring(belief: Belief, thing: string, room: string): string | null {
  if (belief.isCarried(thing)) return goTo(belief, room);
  if (belief.roomOf(thing) === room) return reach(belief, thing);
  return reach(belief, thing) ?? `pick up ${belief.nameOf(thing)}`;
}

/** The step that puts a seen thing into a holder. */
export function carry(belief: Belief, thing: string, holder: string, kind: StepKind): PlanStep {
  const room = belief.placeOf(holder);
  if (room === undefined) return search(belief, {});
  const subgoal = `move ${belief.nameOf(thing)} to ${holder}`;
  const before = bring(belief, thing, room);
  if (before !== null) return towards(kind, before, subgoal);
  return towards(kind, isOpenable(holder) && !belief.open.has(holder) ? `open ${holder}` : null, subgoal);
}

/** Looks where things of such homes most likely are: in a room, or in something closed there. */
export function search(belief: Belief, homes: Homes): PlanStep {
  let best = idle;
  let most = 0;
  const consider = (worth: number, step: () => PlanStep) => {
    if (worth > most) [best, most] = [step(), worth];
  };
  for (const room of belief.rooms) {
    if (belief.seen.has(room)) continue;
    consider(homes[room] ?? elsewhere, () => towards("look", goTo(belief, room), `look in ${room}`));
  }
  for (const thing of belief.at.keys()) {
    if (roleOf(thing) !== "cupboard" || belief.open.has(thing) || belief.searched.has(thing)) continue;
    const room = belief.roomOf(thing)!;
    consider((homes[room] ?? elsewhere) * inside, () => towards("look", goTo(belief, room), `open ${thing}`));
  }
  return best;
}
