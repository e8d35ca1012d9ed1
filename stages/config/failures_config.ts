import { Schema } from "effect";
import { count, key, Text } from "./_key.ts";

/** Section `failures`: how `deno task failures` collects first attempts that failed. */
export const FailuresConfig = Schema.Struct({
  out: key(Text, "runs/failures.jsonl", "file for the failures, JSON lines; algorithm.offline then names it"),
  keep: key(
    Schema.Literals(["all_fail", "any_fail"]),
    "all_fail",
    "which tasks are kept: all_fail (no attempt of failures.cap wins) or any_fail (one attempt fails)",
  ),
  cap: key(count(1), 64, "most attempts at a task"),
  chunk: key(count(1), 8, "attempts at a task that are sampled at once; a task is settled after any of them"),
  tasks: key(count(1), 256, "training tasks that are tried, from the first one on"),
  wanted: key(
    Schema.NullOr(count(1)),
    null,
    "failures after which it is enough; null = as many as there are",
  ),
});
/** What {@link FailuresConfig} decodes to. */
export type FailuresConfig = typeof FailuresConfig.Type;
