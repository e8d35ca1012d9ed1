import { Schema } from "effect";
import { count, key, Text } from "./_key.ts";

/** Section `demonstrations`: what `deno task demonstrations` writes. */
export const DemonstrationsConfig = Schema.Struct({
  out: key(
    Text,
    "runs/demonstrations.jsonl",
    "file for the conversations, JSON lines; algorithm.offline of sft then names it",
  ),
  tasks: key(
    // Every seed has a million tasks of its own.
    count(1, 1e6),
    256,
    "number of training tasks, the first that a run with trainer.seed plays",
  ),
  curriculum: key(
    Schema.NullOr(Schema.Literals(["capable", "flawed", "blind"])),
    null,
    "null = the environment's own solutions; capable, flawed or blind = lessons of a demonstrator that errs (here and there, or against the rules), reflects and retries",
  ),
});
/** What {@link DemonstrationsConfig} decodes to. */
export type DemonstrationsConfig = typeof DemonstrationsConfig.Type;
