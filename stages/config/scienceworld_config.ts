import { Schema } from "effect";
import { count, key, Text } from "./_key.ts";

/** Section `data.scienceworld`: the simulator of task.environment scienceworld. */
export const ScienceWorldConfig = Schema.Struct({
  jar: key(Schema.NullOr(Text), null, "ScienceWorld's jar; null = what SCIENCEWORLD_JAR names"),
  jvms: key(count(1), 4, "Java processes, each with one simulator; episodes take turns"),
  simplifications: key(
    Schema.String,
    "easy",
    "easy, or names of ScienceWorld's simplifications with commas between; empty = none",
  ),
  reward: key(
    Schema.Literals(["score", "largest_change"]),
    "score",
    "score: points over 100; largest_change: the largest gain of one step, as the R³L release books it",
  ),
});
/** What {@link ScienceWorldConfig} decodes to. */
export type ScienceWorldConfig = typeof ScienceWorldConfig.Type;
