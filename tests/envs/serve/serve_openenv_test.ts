import { assert, assertEquals, assertRejects } from "@std/assert";
import { Effect, Exit, type Layer, Result, Scope } from "effect";
import fc from "fast-check";
import { Environment, type EnvironmentShape, type Json } from "../../../envs/env.ts";
import { findFields } from "../../../envs/remote/openenv/find_fields.ts";
import { environments } from "../../../envs/registry.ts";
import { openEnvSchemas } from "../../../envs/serve/openenv_schemas.ts";
import { readMessage } from "../../../envs/serve/read_message.ts";
import { ServeFault } from "../../../envs/serve/serve_fault.ts";
import { serveOpenEnv, type ServeOptions } from "../../../envs/serve/serve_openenv.ts";
import { choiceOf } from "../_choice.ts";
import { exchangeOf, remoteConfig } from "../remote/_servers.ts";

const options: ServeOptions = { hostname: "127.0.0.1", port: 0, maxSessions: 4, idleSeconds: 60 };

function serviceOf<E>(layer: Layer.Layer<Environment, E>): Promise<EnvironmentShape> {
  return Effect.runPromise(
    Effect.gen(function* () {
      return yield* Environment;
    }).pipe(Effect.provide(layer)),
  );
}

const household = await serviceOf(environments.household(choiceOf()));

/** The household, served until the end of a `using` block. */
async function served(changed: Partial<ServeOptions> = {}) {
  const scope = Scope.makeUnsafe();
  const serving = serveOpenEnv(household, { ...options, ...changed });
  const { port } = await Effect.runPromise(Effect.provideService(serving, Scope.Scope, scope));
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => Effect.runPromise(Scope.close(scope, Exit.void)),
  };
}

/** Sends texts one after the other and gives what came back; null where the server closed. */
async function talk(url: string, texts: readonly string[]): Promise<(Record<string, Json> | null)[]> {
  const socket = new WebSocket(`${url}/ws`);
  await new Promise((resolve) => socket.onopen = resolve);
  const frames: (Record<string, Json> | null)[] = [];
  for (const text of texts) {
    const answer = new Promise<Record<string, Json> | null>((resolve) => {
      socket.onmessage = ({ data }) => resolve(JSON.parse(data));
      socket.onclose = () => resolve(null);
    });
    socket.send(text);
    frames.push(await answer);
  }
  socket.close();
  return frames;
}

const frame = (type: string, data?: Json) => JSON.stringify({ type, ...(data !== undefined && { data }) });

Deno.test("played over the wire, the household is the household", async () => {
  await using server = await served();
  const remote = await serviceOf(environments.remote(choiceOf({
    remote: remoteConfig({
      url: server.url,
      train: [0, 100],
      admissible_field: "admissible",
      score_field: "score",
      feedback_field: "verdict.feedback",
    }),
  })));
  await Effect.runPromise(Effect.scoped(Effect.gen(function* () {
    for (const index of [3, 4]) {
      const here = yield* household.open(yield* household.task("train", index));
      const there = yield* remote.open(yield* remote.task("train", index));
      assertEquals(yield* there.reset, yield* here.reset);
      const plan = yield* here.oracle;
      for (const [i, command] of ["dance", "look", ...plan].entries()) {
        assertEquals(yield* there.step(command), yield* here.step(command));
        if (i !== 2) continue;
        // A retry from here: another connection replays and goes on in the same way.
        const retry = yield* remote.open(there.task);
        assertEquals(
          (yield* retry.restore(yield* there.snapshot)).observation,
          (yield* here.restore(yield* here.snapshot)).observation,
        );
        assertEquals(yield* retry.fingerprint, yield* there.fingerprint);
      }
      assertEquals(yield* there.feedback, yield* here.feedback);
    }
  })));
});

Deno.test("frames have the Python server's form, errors its codes, and a session survives them", async () => {
  await using server = await served();
  const python = exchangeOf("errors").map(({ received }) => JSON.parse(received!));
  const ours = await talk(server.url, exchangeOf("errors").slice(0, 5).map(({ sent }) => sent!));
  assertEquals(ours.map((f) => f!.type), python.slice(0, 5).map((f) => f.type));
  ours.slice(0, 4).forEach((f, i) => {
    const { code, errors } = f!.data as { code: string; errors?: { type: string; loc: string[] }[] };
    assertEquals(code, python[i].data.code);
    const wanted = python[i].data.errors as typeof errors;
    // Where an unknown field comes without a message, ours names both.
    assert(
      (wanted ?? []).every(({ type, loc }) => errors!.some((e) => e.type === type && e.loc[0] === loc[0])),
    );
  });
  const data = ours[4]!.data as Record<string, Json>;
  assertEquals(Object.keys(data).sort(), ["done", "observation", "reward"]);
  assertEquals([data.reward, data.done], [null, false]);
  const keys = Object.keys(data.observation as object).sort();
  const declared = Object.keys(openEnvSchemas.observation.properties).filter((k) =>
    k !== "done" && k !== "reward"
  );
  assertEquals(keys, declared.sort());
  assertEquals(findFields(openEnvSchemas, {}), { action: "message", text: "text" });
});

Deno.test("resets: by seed, by index and split, or the next; what is none is refused", async () => {
  await using server = await served();
  const ids = async (...data: Json[]) => {
    const frames = await talk(server.url, data.flatMap((one) => [frame("reset", one), frame("state")]));
    return frames.flatMap((f) => {
      const { task_id, code } = f!.data as Record<string, Json>;
      return f!.type === "observation" ? [] : [task_id ?? code];
    });
  };
  assertEquals(await ids({}, {}, { seed: 7, answer: 42 }, { split: "valid", index: 2 }), [
    "household/train/1/000000",
    "household/train/1/000001",
    "household/train/1/000007",
    "household/valid/1/000002",
  ]);
  for (const bad of [{ seed: -1 }, { index: 0.5 }, { split: "dev" }, { episode_id: "x".repeat(256) }]) {
    assertEquals((await ids(bad))[0], "VALIDATION_ERROR");
  }
});

Deno.test("the end: reward, verdict, and nothing more happens", async () => {
  await using server = await served();
  const plan = await Effect.runPromise(Effect.scoped(Effect.gen(function* () {
    const episode = yield* household.open(yield* household.task("train", 4));
    yield* episode.reset;
    return yield* episode.oracle;
  })));
  const steps = [...plan, "look"].map((message) => frame("step", { message }));
  const frames = await talk(server.url, [
    frame("reset", { seed: 4, episode_id: "mine" }),
    ...steps,
    frame("state"),
  ]);
  const [last, after, state] = frames.slice(-3).map((f) => f!.data as Record<string, any>);
  assertEquals([last.reward, last.done, last.observation.won], [1, true, true]);
  assertEquals(last.observation.verdict, { feedback: "Success." });
  assertEquals([after.reward, after.done, after.observation.text], [0, true, last.observation.text]);
  assertEquals(state, {
    episode_id: "mine",
    step_count: plan.length + 1,
    task_id: "household/train/1/000004",
    kind: "pick_heat_then_place_in_recep",
  });
  const unreset = await talk(server.url, [frame("step", { message: "look" }), frame("close")]);
  assertEquals((unreset[0]!.data as Record<string, Json>).message, "no episode has been reset");
  assertEquals(unreset[1], null);
});

Deno.test("one session too many is told so and closed; a place is free again after a close", async () => {
  await using server = await served({ maxSessions: 1 });
  const first = new WebSocket(`${server.url}/ws`);
  await new Promise((resolve) => first.onopen = resolve);
  const second = new WebSocket(`${server.url}/ws`);
  const told = await new Promise<string>((resolve) => second.onmessage = ({ data }) => resolve(data));
  const { data } = JSON.parse(told);
  assertEquals([data.code, data.active_sessions, data.max_sessions], ["CAPACITY_REACHED", 1, 1]);
  await new Promise((resolve) => second.onclose = resolve);
  const closed = new Promise((resolve) => first.onclose = resolve);
  first.close();
  await closed;
  const [free] = await talk(server.url, [frame("reset", {})]);
  assertEquals(free!.type, "observation");
});

Deno.test("an idle session is closed", async () => {
  await using server = await served({ idleSeconds: 0.05 });
  const socket = new WebSocket(`${server.url}/ws`);
  const { reason } = await new Promise<CloseEvent>((resolve) => socket.onclose = resolve);
  assertEquals(reason, "idle");
});

Deno.test("plain HTTP: health, schema, tasks by split; everything else is refused", async () => {
  await using server = await served();
  const ask = async (path: string, body?: Json) => {
    const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const response = await fetch(`${server.url}${path}`, init);
    return [response.status, await response.json()];
  };
  assertEquals(await ask("/health"), [200, { status: "healthy" }]);
  assertEquals((await ask("/schema"))[1], openEnvSchemas);
  assertEquals(await ask("/list_environments"), [200, ["household"]]);
  assertEquals((await ask("/household/splits"))[1][1], { name: "valid", type: "validation" });
  assertEquals(await ask("/household/num_tasks", { split: "train" }), [200, { num_tasks: null }]);
  const { task } = (await ask("/household/task", { split: "valid", index: 2 }))[1];
  assertEquals([task.id, task.index], ["household/valid/1/000002", 2]);
  const range = await ask("/household/task_range", { split: "valid", start: 1, stop: 3 });
  assertEquals(range[1].tasks.map((t: { index: number }) => t.index), [1, 2]);
  for (
    const [path, body] of [
      ["/household/task", { split: "dev", index: 0 }],
      ["/household/task", { split: "train", index: -1 }],
      ["/household/task", { split: "train" }],
      ["/household/task_range", { split: "train", start: 0, stop: 5000 }],
      ["/household/task", []],
      ["/other/task", { split: "train", index: 0 }],
      ["/reset", {}],
    ] as const
  ) {
    const [status, { detail }] = await ask(path, body as Json);
    assert(status >= 400 && status < 500 && typeof detail === "string", `${path}: ${status}`);
  }
  assertEquals((await ask("/ws"))[0], 426);
  for (
    const [origin, status] of [["http://evil.test", 403], ["null", 403], [
      "http://127.0.0.1:3000",
      101,
    ]] as const
  ) {
    const { port } = new URL(server.url);
    using connection = await Deno.connect({ hostname: "127.0.0.1", port: Number(port) });
    const headers = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n" +
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    const text = `GET /ws HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${headers}Origin: ${origin}\r\n\r\n`;
    await connection.write(new TextEncoder().encode(text));
    const answer = new Uint8Array(12);
    await connection.read(answer);
    assertEquals(new TextDecoder().decode(answer), `HTTP/1.1 ${status}`);
  }
});

Deno.test("an address that is taken is an error", async () => {
  await using server = await served();
  const port = Number(new URL(server.url).port);
  const error = await assertRejects(() => served({ port }));
  assert(String(error).includes(`127.0.0.1:${port}: cannot listen`), String(error));
});

Deno.test("any text is a message or a fault with a code", () => {
  const data = fc.dictionary(
    fc.constantFrom("seed", "index", "split", "message", "metadata", "x"),
    fc.jsonValue(),
  );
  const message = fc.record({ type: fc.constantFrom("reset", "step", "state", "close", "x"), data });
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: "binary" }),
        fc.json(),
        fc.json().map(String),
        message.map((m) => JSON.stringify(m)),
      ),
      (text) => {
        const read = Result.try({ try: () => readMessage(text), catch: (error) => error });
        if (Result.isFailure(read)) {
          assert(read.failure instanceof ServeFault, String(read.failure));
        }
      },
    ),
  );
});

Deno.test("the server ends although a request never does", async () => {
  const server = await served();
  const client = await Deno.connect({ hostname: "127.0.0.1", port: Number(new URL(server.url).port) });
  const request = "POST /household/task HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{";
  await client.write(new TextEncoder().encode(request));
  await fetch(`${server.url}/health`).then((response) => response.text());
  const ended = server[Symbol.asyncDispose]();
  assertEquals(await inTime(ended), true);
  client.close();
});

Deno.test("a client that does not wait for answers is sent away, the others play on", async () => {
  await using server = await served();
  const socket = new WebSocket(`${server.url}/ws`);
  await new Promise((resolve) => socket.onopen = resolve);
  const closed = new Promise((resolve) => socket.onclose = resolve);
  for (let i = 0; i < 2000; i++) socket.send(frame("reset"));
  const [answer] = await talk(server.url, [frame("state")]);
  assertEquals(answer?.type, "state");
  assertEquals(await inTime(closed), true);
});

/** Whether `event` comes within five seconds. */
async function inTime(event: Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => timer = setTimeout(() => resolve(false), 5000));
  const came = await Promise.race([event.then(() => true), late]);
  clearTimeout(timer);
  return came;
}

Deno.test("a type that is no text is unknown, whatever it holds", async () => {
  await using server = await served();
  const frames = await talk(server.url, ['{"type":{"toString":1}}', '{"type":null}', "{}"]);
  assertEquals(
    frames.map((one) => (one?.data as Record<string, Json>).code),
    ["UNKNOWN_TYPE", "UNKNOWN_TYPE", "UNKNOWN_TYPE"],
  );
});
