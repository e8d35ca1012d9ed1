import { departments } from "../generate/lexicon.ts";

/** What a generated instruction asks for. */
export interface ShopWish {
  readonly noun: string;
  readonly attributes: readonly string[];
  /** Values to be chosen, in the order of the sentence. */
  readonly values: readonly string[];
  /** Dollars that may not be exceeded. */
  readonly bound: number;
}

const nouns = new Set(departments.flatMap((department) => department.nouns));

/** Reads the instruction of a first page; null if it is of no known form. */
export function readWish(page: string): ShopWish | null {
  const found = /find me (.+?) (\w+)(?: with (.+?))?, and price lower than (\d+)\.00 dollars/.exec(page);
  if (found === null || !nouns.has(found[2])) return null;
  const [, attributes, noun, options = "", bound] = found;
  return {
    noun,
    attributes: attributes.split(", "),
    values: options === "" ? [] : options.split(", and ").map((option) => option.split(": ")[1]),
    bound: Number(bound),
  };
}
