import { Schema } from "effect";
import { count, key, NonNegative, Positive, section, Text, tokens } from "./_key.ts";

/** A part of a run's configuration, as a tree of sections. */
const Settings = Schema.Record(Schema.String, Schema.Unknown);

/** What a start or an entry may be called: it names a folder. */
export const comparisonName = /^[A-Za-z0-9][A-Za-z0-9_.+-]*$/;

const Named = Schema.Record(Schema.String, Settings);

// As trainer.seed.
const Seeds = Schema.Array(count(0, 2 ** 32 - 1)).check(Schema.isMinLength(1));

/** Section `search` of a comparison: how each entry gets its learning rate. */
export const SearchConfig = Schema.Struct({
  rates: key(
    Schema.Array(Positive).check(Schema.isMinLength(1)),
    [3e-4, 6e-4, 1.2e-3],
    "learning rates that are tried for each entry and start; one = no search",
  ),
  seeds: key(Seeds, [101], "seeds of the search's runs, none of them in seeds"),
  tokens: key(
    Schema.NullOr(tokens(1)),
    null,
    "generated tokens of one run of the search; null = as many as of the runs that are compared",
  ),
  settings: key(Settings, {}, "what the search's runs set otherwise, such as task.eval_split"),
});

/** The configuration of a comparison: entries x starts x seeds at an equal budget of generated tokens. */
export const ComparisonConfig = Schema.Struct({
  folder: key(Text, "runs/compare", "folder of the runs and of the results"),
  tokens: key(tokens(1), 100000, "generated tokens of each run, reports and retries included"),
  eval_tokens: key(tokens(1), 10000, "generated tokens between held-out evaluations, which are not counted"),
  seeds: key(Seeds, [1, 2, 3], "seeds of the runs that are compared"),
  gain: key(NonNegative, 0.3, "gain in held-out success whose cost is told in tokens and seconds"),
  reference: key(
    Schema.NullOr(Text),
    null,
    "entry that the others are subtracted from, seed by seed; null = the first",
  ),
  search: section(SearchConfig),
  train: key(Schema.Boolean, true, "false = only write the results of the runs that have finished"),
  base: key(Settings, {}, "what every run sets, as in a configuration of train"),
  starts: key(Named, { start: {} }, "name and settings of each starting point, such as policy.path"),
  entries: key(Named, {}, "name and settings of each method"),
});
/** What {@link ComparisonConfig} decodes to. */
export type ComparisonConfig = typeof ComparisonConfig.Type;

/** Generated tokens of one run that chooses a learning rate. */
export function searchTokens({ search, tokens }: Pick<ComparisonConfig, "search" | "tokens">): number {
  return search.tokens ?? tokens;
}
