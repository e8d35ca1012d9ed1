/**
 * `deno task serve`: an environment of ours for other programs.
 *
 * @module
 */
import { Effect } from "effect";
import { Environment } from "../../envs/env.ts";
import { serveOpenEnv } from "../../envs/serve/serve_openenv.ts";
import type { RunConfig } from "../../stages/config/run_config.ts";
import { ConfigError } from "../../stages/errors.ts";
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
    "allows 127.0.0.1 only, which localhost stands for.",
  ],
  sections: ["task", "data", "remote", "serve"],
};

/** The address to listen at; one that deno was not allowed is a ConfigError. */
function allowedAddress({ host, port }: RunConfig["serve"]): Effect.Effect<string, ConfigError> {
  // The name may mean ::1 first, where clients of 127.0.0.1 find nobody.
  const hostname = host.toLowerCase() === "localhost" ? "127.0.0.1" : host;
  const shown = hostname.includes(":") && !hostname.startsWith("[") ? `[${hostname}]` : hostname;
  const asked = port === 0 ? shown : `${shown}:${port}`;
  if (Deno.permissions.querySync({ name: "net", host: asked }).state === "granted") {
    return Effect.succeed(hostname);
  }
  const message = `${host} needs deno run --allow-net=${shown}; the task allows 127.0.0.1`;
  return Effect.fail(new ConfigError({ source: "serve", faults: [{ path: "serve.host", message }] }));
}

const serving = Effect.fnUntraced(function* ({ serve }: RunConfig) {
  const hostname = yield* allowedAddress(serve);
  const environment = yield* Environment;
  const { port, max_sessions: maxSessions, idle_s: idleSeconds } = serve;
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
