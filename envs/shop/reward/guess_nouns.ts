/** Words of titles that are no nouns, as far as a list can say. */
const NO_NOUNS = new Set(
  ("a about after all also an and any are as at be best big black blue brown by can compatible cool cute daily " +
    "dark deep different dry durable each easy eco every extra fashionable fast fine fit for free fresh friendly " +
    "from full functional general gray great green grey heavy high hot huge in into is it its large light long " +
    "low made many mini modern more multi natural new nice non not of off old on one or organic other our out " +
    "over perfect pink portable premium pure purple quick red resistant reusable round safe sexy short slim small " +
    "soft solid special strong super sweet that the their these this thick thin to two ultra unisex universal up " +
    "use used vintage warm washable waterproof wet white wide wireless with without yellow you young your")
    .split(
      " ",
    ),
);

/**
 * Words of a title that may be nouns: those of letters that are in no list of
 * others. A stand-in for the original's tagger where a catalogue comes without
 * a file of nouns; it decides only how alike two titles are.
 */
export function guessNouns(title: string): string[] {
  return (title.toLowerCase().match(/\p{L}[\p{L}\p{N}]*/gu) ?? []).filter((word) => !NO_NOUNS.has(word));
}
