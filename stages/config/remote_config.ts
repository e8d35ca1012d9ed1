import { Schema } from "effect";
import { count, key, Text } from "./_key.ts";

const field = (what: string) => key(Schema.NullOr(Text), null, what);

const range = (split: string) =>
  key(
    Schema.NullOr(Schema.Tuple([count(0), count(1)])),
    null,
    `first seed (with AgentGym: index) of split ${split} and the one after its last; null = every ` +
      "third seed, without end, with OpenEnv and no tasks with AgentGym; data files take precedence",
  );

/** Section `remote`: an environment that another program serves. */
export const RemoteConfig = Schema.Struct({
  url: key(Schema.NullOr(Text), null, "address of the server, e.g. ws://127.0.0.1:8000"),
  protocol: key(Schema.Literals(["openenv", "agentgym"]), "openenv", "what the server speaks"),
  game: key(
    Schema.Literals(["alfworld", "sciworld", "webshop", "textcraft", "babyai"]),
    "alfworld",
    "AgentGym: the environment at the address",
  ),
  hosts: key(
    Schema.Array(Text),
    [],
    "hosts that may be reached besides this machine's loopback addresses",
  ),
  train: range("train"),
  valid: range("valid"),
  test: range("test"),
  action_field: field(
    "OpenEnv: field of the action that takes the reply; null = the only required text of the server's schema, " +
      "* = the reply is the action in JSON",
  ),
  action_extra: key(
    Schema.Record(Schema.String, Schema.Json),
    {},
    "OpenEnv: further fields of every action",
  ),
  text_field: field(
    "OpenEnv: field of the observation that is shown, a.b for nested ones; null = the only text of the server's " +
      "schema, * = the whole observation as JSON",
  ),
  admissible_field: field("OpenEnv: field with the list of admissible commands, which are then shown"),
  score_field: field("OpenEnv: field with the score of the episode; null = the sum of rewards"),
  feedback_field: field("OpenEnv: field with the verdict on a finished episode; null = made from the score"),
  won_score: key(Schema.Finite, 1, "an episode that ends with this score or more is won"),
  errors: key(
    Schema.Literals(["fail", "answer"]),
    "fail",
    "an action at which the server fails: fail ends the attempt as data, answer shows the error and goes on",
  ),
  retries: key(
    count(0),
    3,
    "further tries to reach a server that refuses or is full, before an episode starts",
  ),
});
/** What {@link RemoteConfig} decodes to. */
export type RemoteConfig = typeof RemoteConfig.Type;
