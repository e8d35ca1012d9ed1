import { stemmer } from "stemmer";
import { tokenize } from "./tokenize.ts";

/** Lucene's English stop words. */
const STOP_WORDS = new Set(
  ("a an and are as at be but by for if in into is it no not of on or such that the their then there these " +
    "they this to was will with").split(" "),
);

/**
 * The terms of a text as Anserini's default English analyser makes them: words,
 * without a possessive 's, lower-cased, without stop words, stemmed by Porter.
 */
export function analyze(text: string): string[] {
  const terms: string[] = [];
  for (const word of tokenize(text)) {
    const term = lowerCase(word.replace(/['\u2019\uFF07][sS]$/, ""));
    if (!STOP_WORDS.has(term)) terms.push(stem(term));
  }
  return terms;
}

/** Java lower-cases character by character: no final sigma, and I with a dot loses it. */
function lowerCase(word: string): string {
  return word.replaceAll("\u03A3", "\u03C3").replaceAll("\u0130", "i").toLowerCase();
}

const stems = new Map<string, string>();
/** Stems that are remembered; a catalogue's words repeat. */
const KEPT = 200_000;

function stem(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const made = stemmer(word);
  if (stems.size >= KEPT) stems.clear();
  stems.set(word, made);
  return made;
}
