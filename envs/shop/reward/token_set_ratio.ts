import { sequenceRatio } from "./sequence_ratio.ts";

/**
 * Similarity of two texts as sets of words, 0 to 100: `token_set_ratio` of thefuzz
 * 0.19 without python-Levenshtein. Case, order, repetition and punctuation do not
 * count, and a text whose words are all in the other one gets 100.
 */
export function tokenSetRatio(first: string, second: string): number {
  const a = words(first);
  const b = words(second);
  if (a.length === 0 || b.length === 0) return 0;
  const shared = a.filter((word) => b.includes(word));
  const join = (rest: readonly string[]) =>
    [...shared, ...rest.filter((word) => !shared.includes(word))].join(" ");
  const common = shared.join(" ");
  return Math.max(ratio(common, join(a)), ratio(common, join(b)), ratio(join(a), join(b)));
}

/** Distinct words in code point order. */
function words(text: string): string[] {
  const letters = text.replace(/[\u0080-\u00ff]/g, "").replace(/[^\p{L}\p{N}_]/gu, " ").toLowerCase();
  const found = letters.split(/\s+/).filter((word) => word !== "");
  return [...new Set(found)].sort((a, b) => (a < b ? -1 : 1));
}

function ratio(first: string, second: string): number {
  if (first === second) return 100;
  if (first === "" || second === "") return 0;
  return roundHalfEven(100 * sequenceRatio(first, second));
}

/** Python's rounding. */
function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  if (value - floor !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}
