import { Schema } from "effect";
import { count, key, NonNegative } from "./_key.ts";

/** Section `eval`: what `deno task eval` measures. */
export const EvalConfig = Schema.Struct({
  guidance: key(
    Schema.Literals(["own", "oracle", "none", "shuffled"]),
    "own",
    "what a retry is told: its own report, the oracle's, nothing or another task's",
  ),
  temperatures: key(
    Schema.Array(NonNegative).check(Schema.isMinLength(1)),
    [1, 0.4],
    "sampling temperatures, each evaluated by itself; 0 = greedy",
  ),
  split: key(Schema.Literals(["train", "valid", "test"]), "valid", "split whose tasks are played"),
  tasks: key(count(1), 200, "number of tasks"),
  seed: key(count(0), 1, "seed of the evaluation"),
});
/** What {@link EvalConfig} decodes to. */
export type EvalConfig = typeof EvalConfig.Type;
