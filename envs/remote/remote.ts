import { Effect, Layer } from "effect";
import { addressFault } from "../../stages/config/remote_faults.ts";
import { FileError } from "../../stages/errors.ts";
import type { Environment } from "../env.ts";
import type { EnvironmentChoice } from "../environment_choice.ts";
import { environmentLayer } from "../environment_layer.ts";
import { agentGymGames } from "./agentgym/agentgym_games.ts";
import { AgentGymSession } from "./agentgym/agentgym_session.ts";
import { type OpenEnvServer, OpenEnvSession } from "./openenv/openenv_session.ts";
import { RemoteEnv } from "./remote_env.ts";
import { remoteFormat } from "./remote_format.ts";
import type { RemoteSession } from "./remote_session.ts";
import { remoteTasks } from "./remote_tasks.ts";

const defaultMaxTurns = 50;

/**
 * Environments of a server, by OpenEnv's WebSocket or AgentGym's HTTP. A server that
 * cannot be reached when the service is made is a FileError; later, each attempt that
 * it fails is data. `timeoutMs` is the deadline of each of
 * its answers; restoring, which asks for many, has that many deadlines.
 */
export function remote(choice: EnvironmentChoice): Layer.Layer<Environment, FileError> {
  const { remote: config, timeoutMs, files, badRows } = choice;
  const maxTurns = choice.maxTurns ?? defaultMaxTurns;
  return Layer.unwrap(Effect.gen(function* () {
    const open = yield* Effect.try({ try: () => opener(choice), catch: (error) => error as FileError });
    yield* Effect.tryPromise({
      try: () => reach(open()),
      catch: (error) => new FileError({ path: config.url ?? "remote.url", reason: (error as Error).message }),
    });
    const warnings: string[] = [];
    const tasks = yield* Effect.tryPromise({
      try: () => remoteTasks({ config, files, badRows, maxTurns }, (message) => warnings.push(message)),
      catch: (error) =>
        error instanceof FileError ? error : new FileError({ path: "remote", reason: String(error) }),
    });
    for (const warning of warnings) yield* Effect.logWarning(warning);
    return environmentLayer({
      name: "remote",
      make: () => new RemoteEnv(open(), { wonScore: config.won_score, errors: config.errors }),
      tasks,
      format: remoteFormat,
      timeoutMs: timeoutMs * (maxTurns + 2 * config.retries + 4),
    });
  }));
}

async function reach(session: RemoteSession): Promise<void> {
  try {
    await session.reach();
  } finally {
    await session.close();
  }
}

/** Makes sessions at the configured address. @throws FileError if that may not be used */
function opener({ remote: config, timeoutMs }: EnvironmentChoice): () => RemoteSession {
  const isOpenEnv = config.protocol === "openenv";
  const address = config.url ?? "";
  const schemes = isOpenEnv ? ["ws:", "wss:", "http:", "https:"] : ["http:", "https:"];
  const reason = addressFault(address, config.hosts, schemes);
  if (reason !== undefined) throw new FileError({ path: "remote.url", reason });
  const url = new URL(address);
  // The one address of this machine that the commands may reach.
  if (url.hostname === "localhost") url.hostname = "127.0.0.1";
  if (isOpenEnv) {
    const server: OpenEnvServer = { url, config, timeoutMs };
    return () => new OpenEnvSession(server);
  }
  return () =>
    new AgentGymSession({ url, game: agentGymGames[config.game], timeoutMs, retries: config.retries });
}
