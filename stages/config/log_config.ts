import { Schema } from "effect";
import { count, key } from "./_key.ts";

/** Section `log`: what is written while training. */
export const LogConfig = Schema.Struct({
  attempts_every: key(count(0), 10, "steps between records in attempts.jsonl; 0 = none"),
  progress: key(
    Schema.Literals(["auto", "live", "lines", "none"]),
    "auto",
    "auto (live on a terminal, lines elsewhere), live (one line, redrawn), lines (one a step) or none",
  ),
});
/** What {@link LogConfig} decodes to. */
export type LogConfig = typeof LogConfig.Type;
