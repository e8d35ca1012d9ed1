import { assert, assertEquals } from "@std/assert";
import { Effect, Result } from "effect";
import { Environment } from "../../../envs/env.ts";
import { environments } from "../../../envs/registry.ts";
import type { RemoteConfig } from "../../../stages/config/remote_config.ts";
import { FileError } from "../../../stages/errors.ts";
import { choiceOf } from "../_choice.ts";
import { exchangeOf, guessing, localServer, recorded, remoteConfig, socketServer } from "./_servers.ts";

/** The environment's name once its service is made, or why it cannot be. */
function made(settings: Partial<RemoteConfig>): Promise<Result.Result<string, FileError>> {
  const remote = remoteConfig({ retries: 0, ...settings });
  const layer = environments.remote(choiceOf({ timeoutMs: 2000, remote }));
  const name = Effect.gen(function* () {
    return (yield* Environment).name;
  });
  return Effect.runPromise(Effect.result(Effect.provide(name, layer)));
}

Deno.test("a server that cannot be reached or used stops a run before it begins", async () => {
  const dead = socketServer(() => {});
  await dead[Symbol.asyncDispose]();
  await using silent = localServer(() => new Response("no such path", { status: 404 }));
  const cases: readonly (readonly [settings: Partial<RemoteConfig>, says: string])[] = [
    [{ url: dead.url, ...guessing }, "cannot connect to 127.0.0.1"],
    [{ url: dead.url }, "cannot reach 127.0.0.1"],
    [{ url: dead.url, protocol: "agentgym" }, "cannot reach 127.0.0.1"],
    [{ url: silent.url }, "/schema answered with status 404"],
    [{ url: "ws://example.com" }, "example.com is not this machine"],
    [{ url: null }, "is no address"],
  ];
  for (const [settings, says] of cases) {
    const result = await made(settings);
    assert(Result.isFailure(result) && result.failure instanceof FileError);
    assert(result.failure.message.includes(says), result.failure.message);
  }
});

Deno.test("a server that is there: one look at it, nothing begun", async () => {
  const asked: string[] = [];
  const greet = (request: Request) => {
    asked.push(new URL(request.url).pathname);
    return Response.json(request.url.endsWith("/schema") ? recorded.schema : "This is environment AlfWorld.");
  };
  await using server = localServer(greet, (socket) => {
    socket.onmessage = ({ data }) => {
      asked.push(JSON.parse(data).type);
      socket.send(exchangeOf("episode")[0].received!);
    };
  });
  assertEquals(Result.getOrThrow(await made({ url: server.url })), "remote");
  assertEquals(Result.getOrThrow(await made({ url: server.url, protocol: "agentgym" })), "remote");
  await using curt = localServer(() => new Response("no such path", { status: 404 }));
  assertEquals(Result.getOrThrow(await made({ url: curt.url, protocol: "agentgym" })), "remote");
  assertEquals(asked.filter((what) => what !== "close"), ["/schema", "/"]);
});
