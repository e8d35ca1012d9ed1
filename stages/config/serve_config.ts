import { Schema } from "effect";
import { isLoopback } from "./loopback.ts";
import { count, key, Seconds, Text } from "./_key.ts";

/** Section `serve`: an environment of ours for other programs. */
export const ServeConfig = Schema.Struct({
  host: key(
    Text.check(
      Schema.makeFilter((host: string) =>
        isLoopback(host) ||
        "must be an address of this machine alone, as 127.0.0.1: nobody is asked who they are"
      ),
    ),
    "127.0.0.1",
    "address to listen at, of this machine alone",
  ),
  port: key(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 65535 })),
    8000,
    "port to listen at, 0 = any free one",
  ),
  max_sessions: key(count(1), 64, "episodes at a time; one more is refused"),
  idle_s: key(Seconds, 900, "seconds without a message after which a session is closed"),
});
/** What {@link ServeConfig} decodes to. */
export type ServeConfig = typeof ServeConfig.Type;
