/** What is to be done to the target before it is put in place. */
export type Change = "heat" | "cool" | "clean";

/** ALFWorld's names of the task types. */
export const taskKinds = [
  "pick_and_place_simple",
  "pick_heat_then_place_in_recep",
  "pick_cool_then_place_in_recep",
  "pick_clean_then_place_in_recep",
  "look_at_obj_in_light",
  "pick_two_obj_and_place",
] as const;

/** One of the six task types. */
export type TaskKind = typeof taskKinds[number];

/** A task in types: which thing, where to (a receptacle type, or the lamp's type). */
export interface Goal {
  readonly kind: TaskKind;
  readonly target: string;
  readonly destination: string;
}

/** The change that a task type asks for, or null. */
export function changeOf(kind: TaskKind): Change | null {
  const match = /^pick_(heat|cool|clean)_/.exec(kind);
  return match ? match[1] as Change : null;
}

/** The adjective for a changed thing. */
export const adjectives: Readonly<Record<Change, string>> = { heat: "hot", cool: "cool", clean: "clean" };

/** Two sentences for each task type; `X` is the target, `R` the destination. */
const sentences: Readonly<Record<TaskKind, readonly [string, string]>> = {
  pick_and_place_simple: ["put a X in R", "put some X on R"],
  pick_heat_then_place_in_recep: ["put a hot X in R", "heat some X and put it in R"],
  pick_cool_then_place_in_recep: ["put a cool X in R", "cool some X and put it in R"],
  pick_clean_then_place_in_recep: ["put a clean X in R", "clean some X and put it in R"],
  look_at_obj_in_light: ["look at X under the R", "examine the X with the R"],
  pick_two_obj_and_place: ["put two X in R", "find two X and put them in R"],
};

/** The task sentence without its full stop; `variant` 0 or 1. */
export function goalSentence({ kind, target, destination }: Goal, variant: 0 | 1): string {
  return sentences[kind][variant].replace("X", target).replace("R", destination);
}

/** Reads the task out of a text that holds `Your task is to: ... .`; null if there is none. */
export function readGoal(text: string): Goal | null {
  const sentence = /Your task is to: ([^.]*)\./.exec(text)?.[1];
  if (sentence === undefined) return null;
  for (
    const [kind, target, destination] of patterns.map(([kind, p]) => [kind, ...match(p, sentence)] as const)
  ) {
    if (target !== undefined && destination !== undefined) return { kind, target, destination };
  }
  return null;
}

const patterns: readonly (readonly [TaskKind, RegExp])[] = taskKinds.flatMap((kind) =>
  sentences[kind].map((s) =>
    [kind, new RegExp(`^${s.replace("X", "([a-z]+)").replace("R", "([a-z]+)")}$`)] as const
  )
);

function match(pattern: RegExp, sentence: string): readonly (string | undefined)[] {
  return pattern.exec(sentence)?.slice(1) ?? [];
}
