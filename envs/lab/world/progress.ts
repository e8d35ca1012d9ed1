import type { LabState } from "./lab_state.ts";
import type { LabWorld } from "./lab_world.ts";
import { type Rules, rulesOf } from "./rules.ts";

const cache = new WeakMap<LabWorld, Rules>();

/** The rules of a world's task, made once. */
export function rules(world: LabWorld): Rules {
  const known = cache.get(world);
  if (known !== undefined) return known;
  const made = rulesOf(world);
  cache.set(world, made);
  return made;
}

/** Notes what a change reached: sub-goals in their order, the hint, a wrong focus or answer. */
export function progress(world: LabWorld, before: LabState, after: LabState): LabState {
  const { ordered, hint, mayFocus, isWrongAnswer } = rules(world);
  let { reached, hints, lost } = after;
  if (after.focus !== null && after.focus !== before.focus && !mayFocus(after, after.focus)) {
    lost ??= "wrong focus";
  }
  const answered = Object.keys(after.at).some((thing) =>
    after.at[thing] !== before.at[thing] && isWrongAnswer(thing, after.at[thing])
  );
  if (answered) lost ??= "wrong box";
  if (lost === null) { while (reached < ordered.length && ordered[reached].holds(after)) reached++; }
  if (!hints.includes(hint.name) && hint.holds(after)) hints = [...hints, hint.name];
  return { ...after, reached, hints, lost };
}

/** Every sub-goal is reached. */
export function isWon(world: LabWorld, state: LabState): boolean {
  return state.lost === null && state.reached === rules(world).ordered.length;
}

/** 0 to 100, 100 exactly if won; -100 if lost. */
export function points(world: LabWorld, state: LabState): number {
  if (state.lost !== null) return -100;
  if (isWon(world, state)) return 100;
  const { ordered, hint } = rules(world);
  return ordered.slice(0, state.reached).reduce((sum, { points }) => sum + points, 0) +
    (state.hints.includes(hint.name) ? hint.points : 0);
}

/** `Success.`, or the first unmet sub-goal or what lost the episode, e.g. `Failure: not heated.` */
export function verdict(world: LabWorld, state: LabState): string {
  if (state.lost !== null) return `Failure: ${state.lost}.`;
  if (isWon(world, state)) return "Success.";
  return `Failure: not ${rules(world).ordered[state.reached].name}.`;
}
