/**
 * `deno task serve`: an environment of ours for other programs.
 *
 * @module
 */
import { Effect } from "effect";
import { Environment } from "../../envs/env.ts";
import { serveOpenEnv } from "../../envs/serve/serve_openenv.ts";
import type { RunConfig } from "../../stages/config/run_config.ts";
import { readConfig } from "../command/read_config.ts";
import { runVerb } from "../command/run_verb.ts";
import type { Verb } from "../command/verb.ts";
import { environmentOf } from "../run/environment_of.ts";

const verb: Verb = {
  name: "serve",
  summary: "Serves an environment over OpenEnv's WebSocket until Ctrl-C, for TRL, openenv's clients and " +
    "the environment remote.",
  usage: "[config.yaml] [section.key=value ...]",
  details: [
    "A client plays at ws://host:port/ws; /health, /schema and the task API are plain HTTP. The task " +
    "allows 127.0.0.1 only.",
  ],
  sections: ["task", "data", "remote", "serve"],
};

const serving = Effect.fnUntraced(function* ({ serve }: RunConfig) {
  const environment = yield* Environment;
  const { host: hostname, port, max_sessions: maxSessions, idle_s: idleSeconds } = serve;
  const at = yield* serveOpenEnv(environment, { hostname, port, maxSessions, idleSeconds });
  console.log(`${environment.name}: ws://${at.hostname}:${at.port}/ws, at most ${maxSessions} sessions`);
  return yield* Effect.never;
});

if (import.meta.main) {
  await runVerb(verb, (args) =>
    Effect.gen(function* () {
      const config = yield* readConfig(args);
      yield* Effect.scoped(serving(config)).pipe(Effect.provide(environmentOf(config)));
    }));
}
