import { Schema } from "effect";
import { count, Fraction, key, NonNegative, Text } from "./_key.ts";

/** Section `eval`: what `deno task eval` measures. */
export const EvalConfig = Schema.Struct({
  benchmarks: key(
    Schema.Array(Schema.Record(Schema.String, Schema.Unknown)),
    [],
    "what is measured, each a name and sections task, data, rollout, eval on top of this configuration; [] = task.environment",
  ),
  baseline: key(
    Schema.NullOr(Text),
    null,
    "model folder that is measured too, as the policy before training; null = none",
  ),
  temperatures: key(
    Schema.Array(NonNegative).check(Schema.isMinLength(1)),
    [1, 0.4],
    "sampling temperatures, each evaluated by itself; 0 = greedy",
  ),
  attempts: key(
    count(1),
    1,
    "independent attempts at each task and temperature, for avg, pass, best and maj@k",
  ),
  guidance: key(
    Schema.Literals(["own", "oracle", "none", "shuffled", "off"]),
    "own",
    "what a second attempt is told: its own report, the oracle's, nothing, another task's; off = no second attempts",
  ),
  guidance_temperature: key(
    Schema.NullOr(NonNegative),
    null,
    "temperature of first attempt, report and second attempt; null = as in training",
  ),
  retry_from: key(
    Schema.Literals(["pivot", "start"]),
    "pivot",
    "where a second attempt starts: at the turn that the report names or at the first",
  ),
  split: key(Schema.Literals(["train", "valid", "test"]), "valid", "split whose tasks are played"),
  tasks: key(count(1), 200, "number of tasks, from the first one on"),
  seed: key(count(0, 2 ** 32 - 1), 1, "seed of the evaluation"),
  max_unchecked: key(
    Fraction,
    0.01,
    "largest share of attempts without a verdict (check timed out, environment failed); more is a failure",
  ),
  forget_margin: key(
    Schema.NullOr(NonNegative),
    null,
    "with a baseline: largest fall of success on any benchmark, but 2 standard errors are always allowed; null = any",
  ),
  out_dir: key(Schema.NullOr(Text), null, "folder for results.json and attempts.jsonl; null = only print"),
});
/** What {@link EvalConfig} decodes to. */
export type EvalConfig = typeof EvalConfig.Type;
