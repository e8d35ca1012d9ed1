import { Schema } from "effect";
import { count, key, NonNegative } from "./_key.ts";
import { environmentNames } from "./environment_names.ts";

/** Section `task`: what is learned. */
export const TaskConfig = Schema.Struct({
  environment: key(Schema.Literals(environmentNames), "household", "environment whose tasks are played"),
  source: key(
    Schema.Literals(["generated", "alfworld"]),
    "generated",
    "household: whose games are played, generated ones or ALFWorld's own",
  ),
  prompt: key(
    Schema.Literals(["plain", "r3l", "r3l_released"]),
    "plain",
    "household: prompts and rules: plain, r3l (the authors' prompts, tags, 25 turns, three equal actions end an episode), " +
      "or r3l_released (with their retries' leniency too)",
  ),
  level: key(count(0), 1, "difficulty of generated tasks, 0 is the easiest"),
  max_turns: key(
    Schema.NullOr(count(1)),
    null,
    "turn limit of an episode, for questions the attempts at an answer; null = the environment's own",
  ),
  kinds: key(
    Schema.NullOr(Schema.Record(Schema.String, NonNegative)),
    null,
    "weight of each kind of task; null = the environment's own",
  ),
  eval_tasks: key(count(1), 200, "held-out tasks of an evaluation while training"),
  eval_split: key(
    Schema.Literals(["valid", "test"]),
    "valid",
    "split that evaluation while training plays: valid or test",
  ),
});
/** What {@link TaskConfig} decodes to. */
export type TaskConfig = typeof TaskConfig.Type;
