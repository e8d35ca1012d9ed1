/** The kinds of task: six topics, of which the first has three and the third two. */
export const taskKinds = [
  "boil",
  "melt",
  "freeze",
  "measure_temperature",
  "find_living_thing",
  "find_non_living_thing",
  "test_conductivity",
  "grow_plant",
  "mix_paint",
] as const;

/** One of {@link taskKinds}. */
export type TaskKind = typeof taskKinds[number];

/**
 * A task. What the fields hold by kind: the target is a substance (boil, melt,
 * freeze), a vessel (measure_temperature), an object (test_conductivity), a
 * species (grow_plant), a colour (mix_paint) or nothing; `yes` and `no` are answer
 * boxes, or where there is one answer only: the vessel that the substance is in at
 * first, the pot, or the box to bring the thing to.
 */
export interface Goal {
  readonly kind: TaskKind;
  readonly target: string;
  readonly yes: string;
  readonly no: string;
}

/** A measured temperature above this, in tenths of a degree, goes to the first box. */
export const threshold = 400;

const box = "([a-z ]+ box)";

/** A kind's sentence, and what reads it back. */
const sentences: Readonly<Record<TaskKind, { readonly say: (goal: Goal) => string; readonly read: RegExp }>> =
  {
    boil: { say: (g) => `boil ${g.target}`, read: /^boil ([a-z ]+)$/ },
    melt: { say: (g) => `melt ${g.target}`, read: /^melt ([a-z ]+)$/ },
    freeze: { say: (g) => `freeze ${g.target}`, read: /^freeze ([a-z ]+)$/ },
    measure_temperature: {
      say: (g) =>
        `measure the temperature in the ${g.target} and move it to the ${g.yes} if above 40 degrees, ` +
        `else to the ${g.no}`,
      read: new RegExp(
        `^measure the temperature in the ([a-z ]+) and move it to the ${box} if above 40 degrees, ` +
          `else to the ${box}$`,
      ),
    },
    find_living_thing: {
      say: (g) => `find a living thing and move it to the ${g.yes}`,
      read: new RegExp(`^find a (living) thing and move it to the ${box}$`),
    },
    find_non_living_thing: {
      say: (g) => `find a non-living thing and move it to the ${g.yes}`,
      read: new RegExp(`^find a (non-living) thing and move it to the ${box}$`),
    },
    test_conductivity: {
      say: (g) => `test if the ${g.target} conducts and move it to the ${g.yes} if so, else to the ${g.no}`,
      read: new RegExp(
        `^test if the ([a-z ]+) conducts and move it to the ${box} if so, else to the ${box}$`,
      ),
    },
    grow_plant: {
      say: (g) => `grow a ${g.target} ${g.no} in the ${g.yes}`,
      read: /^grow a ([a-z]+) ([a-z]+) in the ([a-z ]+)$/,
    },
    mix_paint: { say: (g) => `mix ${g.target} paint`, read: /^mix ([a-z]+) paint$/ },
  };

/** The task sentence without its full stop. */
export function goalSentence(goal: Goal): string {
  return sentences[goal.kind].say(goal);
}

/** Reads the task out of a text that holds `Your task is to ... .`; null if there is none. */
export function readGoal(text: string): Goal | null {
  const sentence = /Your task is to ([^.]*)\./.exec(text)?.[1];
  if (sentence === undefined) return null;
  for (const kind of taskKinds) {
    const match = sentences[kind].read.exec(sentence);
    if (match === null) continue;
    const [, target, first = "", second = ""] = match;
    if (kind === "grow_plant") return { kind, target, yes: second, no: first };
    const found = kind === "find_living_thing" || kind === "find_non_living_thing";
    return { kind, target: found ? "" : target, yes: first, no: second };
  }
  return null;
}
