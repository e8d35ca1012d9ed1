import type { LabState } from "./lab_state.ts";
import type { LabWorld } from "./lab_world.ts";
import { isWon, progress } from "./progress.ts";
import { inScope, nameOf, type Referent, resolve } from "./scope.ts";
import { tick } from "./tick.ts";
import { changeVerbs } from "./verbs/change.ts";
import { lookVerbs } from "./verbs/look.ts";
import { moveVerbs } from "./verbs/move.ts";
import type { Outcome, Verb } from "./verbs/verb.ts";

/** What a command that is not understood is answered. */
export const unknownCommand = "No known action matches that input.";

const ambiguous =
  "Ambiguous request: Please enter the number for the action you intended (or blank to cancel):";

/** Longer words first: `open door to` before `open`. */
const verbs: readonly Verb[] = [...lookVerbs, ...moveVerbs, ...changeVerbs]
  .sort((a, b) => b.word.length - a.word.length);

const nobody: Referent = { thing: "" };

/** One reading of a command. */
interface Reading {
  readonly verb: Verb;
  readonly a: Referent;
  readonly b: Referent;
  readonly room: string;
}

/** What a command did. */
export interface Performed {
  readonly state: LabState;
  readonly observation: string;
  /** The command was understood and could be done. */
  readonly accepted: boolean;
}

/**
 * Performs a command; any text is one. What is not understood or cannot be done
 * changes nothing and takes no time. Where a name fits several substances the first
 * vessel's is taken and said, or asked for if the world has the menu.
 */
export function perform(world: LabWorld, state: LabState, text: string): Performed {
  const command = text.trim();
  if (state.pending.length > 0) {
    const chosen = /^\d{1,3}$/.test(command) ? state.pending[Number(command)] : undefined;
    const idle = { ...state, pending: [] };
    if (chosen !== undefined) return perform(world, idle, chosen);
    return { state: idle, observation: unknownCommand, accepted: false };
  }
  const readings = read(world, state, command);
  if (readings.length === 0) return { state, observation: unknownCommand, accepted: false };
  const open = readings.filter((reading) => outcome(world, state, reading).refusal === undefined);
  if (world.menu && open.length > 1) {
    const pending = open.map((reading) => written(state, reading));
    const choices = pending.map((choice, i) => `\n${i}: ${choice}`).join("");
    return { state: { ...state, pending }, observation: ambiguous + choices, accepted: true };
  }
  const reading = open[0] ?? readings[0];
  const done = outcome(world, state, reading);
  if (done.refusal !== undefined) return { state, observation: done.refusal, accepted: false };
  const said = open.length > 1 ? `(${written(state, reading)}) ${done.text}` : done.text;
  return { ...pass(world, state, done.state, done.ticks, said), accepted: true };
}

/** Commands that would be accepted, sorted by code unit; an ambiguous one in its unambiguous forms. */
export function admissible(world: LabWorld, state: LabState): string[] {
  if (state.pending.length > 0) return state.pending.map((_, i) => String(i)).sort();
  const referents = referentsInScope(state);
  const found = new Set<string>();
  const alone = unambiguous(referents);
  const consider = (reading: Reading) => {
    if (outcome(world, state, reading).refusal === undefined) found.add(written(state, reading, alone));
  };
  for (const verb of verbs) {
    if (verb.takes === "nothing") consider({ verb, a: nobody, b: nobody, room: "" });
    if (verb.takes === "room") {
      for (const room of world.rooms) consider({ verb, a: nobody, b: nobody, room });
    }
    if (verb.takes !== "referent") continue;
    for (const a of referents.filter(verb.first ?? (() => true))) {
      if (verb.between === undefined) consider({ verb, a, b: nobody, room: "" });
      else for (const b of referents.filter(verb.second ?? (() => true))) consider({ verb, a, b, room: "" });
    }
  }
  return [...found].sort();
}

function outcome(world: LabWorld, state: LabState, { verb, a, b, room }: Reading): Outcome {
  return verb.run(world, state, a, b, room);
}

/** Every reading of a command, in order of the things that it names. */
function read(world: LabWorld, state: LabState, command: string): Reading[] {
  for (const verb of verbs) {
    if (verb.takes === "nothing") {
      if (command === verb.word) return [{ verb, a: nobody, b: nobody, room: "" }];
      continue;
    }
    if (!command.startsWith(verb.word + " ")) continue;
    const rest = command.slice(verb.word.length + 1);
    if (verb.takes === "room") {
      return world.rooms.includes(rest) ? [{ verb, a: nobody, b: nobody, room: rest }] : [];
    }
    if (verb.between === undefined) {
      return resolve(state, rest).map((a) => ({ verb, a, b: nobody, room: "" }));
    }
    const at = rest.indexOf(` ${verb.between} `);
    if (at < 0) return [];
    const second = resolve(state, rest.slice(at + verb.between.length + 2));
    return resolve(state, rest.slice(0, at)).flatMap((a) => second.map((b) => ({ verb, a, b, room: "" })));
  }
  return [];
}

/** A reading as an unambiguous command; `alone` are the substances that one vessel in scope holds. */
function written(
  state: LabState,
  { verb, a, b, room }: Reading,
  alone = unambiguous(referentsInScope(state)),
): string {
  const name = ({ thing, portion }: Referent): string => {
    if (portion === undefined) return nameOf(state, thing);
    return alone.has(portion.substance) ? portion.substance : `${portion.substance} in ${thing}`;
  };
  if (verb.takes === "nothing") return verb.word;
  if (verb.takes === "room") return `${verb.word} ${room}`;
  const first = `${verb.word} ${name(a)}`;
  return verb.between === undefined ? first : `${first} ${verb.between} ${name(b)}`;
}

function referentsInScope(state: LabState): Referent[] {
  return inScope(state).flatMap((thing): Referent[] => [
    { thing },
    ...(state.contents[thing] ?? []).map((portion) => ({ thing, portion })),
  ]);
}

function unambiguous(referents: readonly Referent[]): ReadonlySet<string> {
  const once = new Set<string>();
  const twice = new Set<string>();
  for (const { portion } of referents) {
    if (portion === undefined) continue;
    if (once.has(portion.substance)) twice.add(portion.substance);
    once.add(portion.substance);
  }
  return once.difference(twice);
}

/** Lets time pass, tick by tick, until the episode is decided. */
function pass(world: LabWorld, before: LabState, after: LabState, ticks: number, text: string) {
  let state = progress(world, before, after);
  const said = [text];
  for (let i = 0; i < ticks && state.lost === null && !isWon(world, state); i++) {
    const next = tick(state);
    said.push(...next.events);
    state = progress(world, state, next.state);
  }
  return { state, observation: said.join(" ") };
}
