import { Schema } from "effect";
import { count, key, Text, tokens } from "./_key.ts";

/** Section `trainer`: how long, where, from where. */
export const TrainerConfig = Schema.Struct({
  total_steps: key(count(1), 120, "optimiser steps of the whole run, resumed ones included"),
  total_tokens: key(
    Schema.NullOr(tokens(1)),
    null,
    "the run ends with the step that reaches so many generated tokens (reports and retries count, evaluations do not), and the learning rate follows them; null = after total_steps",
  ),
  seed: key(
    // Every seed has a million tasks of its own, numbered by exact integers.
    count(0, 2 ** 32 - 1),
    1,
    "seed of everything random in the run",
  ),
  run_dir: key(
    Schema.NullOr(Text),
    null,
    "run folder; null = runs/<algorithm>-<environment>-seed<seed>",
  ),
  resume: key(
    Text,
    "auto",
    "never, auto (from the newest whole checkpoint of the run folder) or a checkpoint's path",
  ),
  save_steps: key(count(0), 30, "steps between checkpoints; 0 = only at the end"),
  eval_steps: key(count(0), 0, "steps between evaluations; 0 = only before and after"),
  eval_tokens: key(tokens(0), 0, "generated tokens between evaluations, besides eval_steps; 0 = none"),
  keep_checkpoints: key(count(1), 2, "newest checkpoints that are kept"),
});
/** What {@link TrainerConfig} decodes to. */
export type TrainerConfig = typeof TrainerConfig.Type;
