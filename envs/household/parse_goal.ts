/** What a household task asks for. */
export interface HouseholdGoal {
  readonly kind: "place" | "clean" | "heat" | "cool" | "two" | "look";
  /** Type of the object, e.g. `potato`. */
  readonly object: string;
  /** Type of the destination receptacle, or of the lamp. */
  readonly destination: string;
}

const SENTENCES: readonly (readonly [RegExp, HouseholdGoal["kind"]])[] = [
  [/^put two (\w+) in (\w+)$/, "two"],
  [/^find two (\w+) and put them in (\w+)$/, "two"],
  [/^put a clean (\w+) in (\w+)$/, "clean"],
  [/^clean some (\w+) and put it in (\w+)$/, "clean"],
  [/^put a hot (\w+) in (\w+)$/, "heat"],
  [/^heat some (\w+) and put it in (\w+)$/, "heat"],
  [/^put a cool (\w+) in (\w+)$/, "cool"],
  [/^cool some (\w+) and put it in (\w+)$/, "cool"],
  [/^put an? (\w+) in (\w+)$/, "place"],
  [/^put some (\w+) on (\w+)$/, "place"],
  [/^look at (\w+) under the (\w+)$/, "look"],
  [/^examine the (\w+) with the (\w+)$/, "look"],
];

/**
 * Reads the goal from a first observation (`… Your task is to: put a hot potato in
 * cabinet.`). Throws RangeError for a sentence that no household task uses.
 */
export function parseGoal(observation: string): HouseholdGoal {
  const sentence = /Your task is to: ([^\n]*?)\.?\s*$/.exec(observation)?.[1] ?? "";
  for (const [pattern, kind] of SENTENCES) {
    const match = pattern.exec(sentence);
    if (match !== null) return { kind, object: match[1], destination: match[2] };
  }
  throw new RangeError(`Cannot read a goal from ${JSON.stringify(sentence)}`);
}
