import { Schema } from "effect";
import { count, key, Text } from "./_key.ts";

/** Section `negatives`: what `deno task negatives` gathers. */
export const NegativesConfig = Schema.Struct({
  out: key(
    Schema.NullOr(Text),
    null,
    "file that is written; null = algorithm.reflective.file, or runs/negatives-<environment>-seed<seed>.jsonl",
  ),
  from: key(
    Schema.NullOr(Text),
    null,
    "file of recorded attempts at the tasks of data.train, in OpenR1-Math's fields; null = attempts are sampled",
  ),
  tasks: key(
    count(1),
    256,
    "number of training tasks, the first that a run with trainer.seed plays; of recorded attempts, rows",
  ),
  samples: key(count(1), 8, "attempts at each task"),
  keep: key(count(1), 1, "most failed attempts that are kept of a task"),
  fit: key(
    Schema.Literals(["filter", "solution_only", "head_tail"]),
    "filter",
    "attempts that make a prompt too long: left out, cut to what follows the thought, or cut in the middle",
  ),
});
/** What {@link NegativesConfig} decodes to. */
export type NegativesConfig = typeof NegativesConfig.Type;
