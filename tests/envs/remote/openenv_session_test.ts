import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { findFields } from "../../../envs/remote/openenv/find_fields.ts";
import { OpenEnvSession } from "../../../envs/remote/openenv/openenv_session.ts";
import { readFrame } from "../../../envs/remote/openenv/read_frame.ts";
import { RemoteFault } from "../../../envs/remote/remote_fault.ts";
import type { RemoteConfig } from "../../../stages/config/remote_config.ts";
import { exchangeOf, guessing, localServer, recorded, remoteConfig, socketServer } from "./_servers.ts";

function sessionAt(url: string, settings: Partial<RemoteConfig> = {}, timeoutMs = 2000): OpenEnvSession {
  const config = remoteConfig({ ...guessing, retries: 0, ...settings });
  return new OpenEnvSession({ url: new URL(url), config, timeoutMs });
}

/** What goes wrong in a reset and a step at a server that treats sockets so. */
async function faultsOf(attend: (socket: WebSocket) => void, timeoutMs = 2000): Promise<RemoteFault> {
  await using server = socketServer(attend);
  const session = sessionAt(server.url, {}, timeoutMs);
  const fault = await assertRejects(async () => {
    await session.reset({ seed: 1 });
    await session.step("8");
  }, RemoteFault);
  await session.close();
  return fault;
}

const observation = exchangeOf("episode")[0].received!;

Deno.test("an episode of the Python server: the frames it got and what they are read as", async () => {
  const exchange = exchangeOf("episode").filter(({ sent }) => sent !== '{"type":"state"}');
  let next = 0;
  const got: string[] = [];
  await using server = socketServer((socket) => {
    socket.onmessage = ({ data }) => {
      got.push(data);
      if (next < exchange.length) socket.send(exchange[next++].received!);
    };
  });
  const session = sessionAt(server.url);
  const first = await session.reset({ seed: 7 });
  assertEquals(first, {
    observation: "Guess a number from 1 to 16.",
    admissible: ["1", "8", "16"],
    reward: 0,
    score: 0,
    done: false,
  });
  const answers = [];
  for (const { sent } of exchange.slice(1)) answers.push(await session.step(JSON.parse(sent!).data.message));
  assertEquals(got, exchange.map(({ sent }) => sent));
  assertEquals(answers[0].observation, "Too low.");
  assertEquals(answers[1].observation, "That is no number.");
  assertEquals(answers.filter(({ done }) => done), [{
    observation: "Right.",
    admissible: [],
    reward: 1,
    score: 1,
    done: true,
    feedback: "Guessed.",
  }]);
  await session.close();
});

Deno.test("the Python server's errors: which end an attempt and which are the agent's", () => {
  const errors = exchangeOf("errors").map(({ received }) => readFrame(received!)).filter((f) =>
    f.type === "error"
  );
  assertEquals(errors.map(({ code }) => code), [
    "INVALID_JSON",
    "UNKNOWN_TYPE",
    "VALIDATION_ERROR",
    "VALIDATION_ERROR",
    "EXECUTION_ERROR",
  ]);
  assertEquals(errors[2].message, "Invalid message; extra: Extra inputs are not permitted");
});

Deno.test("a full server is tried again, and says what to do when it stays full", async () => {
  const full = exchangeOf("capacity")[0].received!;
  let connections = 0;
  await using server = socketServer((socket) => {
    const isFull = ++connections % 3 !== 0;
    socket.onopen = () => {
      if (!isFull) return;
      socket.send(full);
      socket.close();
    };
    socket.onmessage = () => isFull || socket.send(observation);
  });
  const patient = sessionAt(server.url, { retries: 2 });
  assertEquals((await patient.reset({ seed: 1 })).observation, "Guess a number from 1 to 16.");
  await patient.close();
  const hasty = sessionAt(server.url, { retries: 1 });
  const fault = await assertRejects(() => hasty.reset({ seed: 1 }), RemoteFault, "2/2 sessions active");
  assertEquals([fault.kind, connections], ["full", 5]);
});

Deno.test("servers that answer late, wrongly or never are faults of their kind", async () => {
  const answers = (frame: string) => (socket: WebSocket) => {
    socket.onmessage = () => socket.send(frame);
  };
  const changed = (change: (data: Record<string, unknown>) => void) => {
    const frame = JSON.parse(observation);
    change(frame.data);
    return answers(JSON.stringify(frame));
  };
  const cases:
    readonly (readonly [kind: string, says: RegExp, attend: (socket: WebSocket) => void, number?])[] = [
      ["late", /no answer within 900 ms/, () => {}, 900],
      [
        "lost",
        /closed the connection \(1000, bye\)/,
        (socket) => socket.onmessage = () => socket.close(1000, "bye"),
      ],
      ["malformed", /no JSON: \{ooo/, answers("{ooo")],
      ["malformed", /no object: \[\]/, answers("[]")],
      ["malformed", /no text/, (socket) => socket.onmessage = () => socket.send(new Uint8Array(3))],
      ["malformed", /type is none of/, answers('{"type":"hello","data":{}}')],
      ["malformed", /of type state/, answers('{"type":"state","data":{}}')],
      ["malformed", /field data is no object, got 3/, answers('{"type":"observation","data":3}')],
      ["malformed", /field data.reward is no number, got lots/, changed((data) => data.reward = "lots")],
      ["malformed", /field data.done is neither/, changed((data) => data.done = 0)],
      [
        "malformed",
        /field text is no text, got 5/,
        changed((data) => Object.assign(data.observation!, { text: 5 })),
      ],
      [
        "malformed",
        /field admissible is no list of texts/,
        changed((data) => Object.assign(data.observation!, { admissible: [1] })),
      ],
      [
        "malformed",
        /field score is no number, got undefined/,
        changed((data) => data.observation = { text: "", admissible: [] }),
      ],
      ["malformed", /spoke before it was asked/, (socket) => {
        socket.onmessage = () => {
          socket.send(observation);
          socket.send(observation);
        };
      }],
      [
        "failed",
        /EXECUTION_ERROR: the die fell/,
        answers(exchangeOf("errors").find((e) => e.received!.includes("die"))!.received!),
      ],
    ];
  for (const [kind, says, attend, timeoutMs] of cases) {
    const fault = await faultsOf(attend, timeoutMs);
    assertEquals(fault.kind, kind, fault.message);
    assert(says.test(fault.message), fault.message);
  }
});

Deno.test("after a late answer the session is lost until the next reset, which connects anew", async () => {
  let connections = 0;
  await using server = socketServer((socket) => {
    connections++;
    socket.onmessage = ({ data }) => {
      if (!data.includes("sleep")) socket.send(observation);
    };
  });
  const session = sessionAt(server.url, {}, 900);
  await session.reset({ seed: 1 });
  await assertRejects(() => session.step("sleep"), RemoteFault, "no answer within 900 ms");
  await assertRejects(() => session.step("8"), RemoteFault, "no answer within 900 ms");
  assertEquals(connections, 1);
  await session.reset({ seed: 1 });
  assertEquals((await session.step("8")).observation, "Guess a number from 1 to 16.");
  assertEquals(connections, 2);
  await session.close();
});

Deno.test("nobody at the address: as many tries as allowed, then a fault with the address", async () => {
  const server = socketServer(() => {});
  await server[Symbol.asyncDispose]();
  const fault = await assertRejects(() => sessionAt(server.url, { retries: 1 }).reset({}), RemoteFault);
  assertEquals(fault.kind, "refused");
  assert(fault.message.includes(new URL(server.url).host), fault.message);
});

Deno.test("fields are found in the schema, or the error lists the candidates", async () => {
  assertEquals(findFields(recorded.schema, {}), { action: "message", text: "text" });
  const schema = {
    action: { properties: { code: { type: "string" }, lang: { type: "string" } }, required: ["code"] },
  };
  const two = {
    properties: { out: { type: "string" }, err: { anyOf: [{ type: "string" }, { type: "null" }] } },
  };
  assertEquals(findFields({ ...schema, observation: two }, { text: "out" }), { action: "code", text: "out" });
  const fault = (() => {
    try {
      findFields({ ...schema, observation: two }, {});
    } catch (error) {
      return (error as Error).message;
    }
  })();
  assertEquals(fault, "cannot tell the observation's text among out, err: set remote.text_field");

  let asked = 0;
  await using server = localServer(() => {
    asked++;
    return Response.json(recorded.schema);
  }, (socket) => socket.onmessage = () => socket.send(observation));
  const shared = {
    url: new URL(server.url),
    config: remoteConfig({ action_field: null, text_field: null }),
    timeoutMs: 2000,
  };
  for (const session of [new OpenEnvSession(shared), new OpenEnvSession(shared)]) {
    assertEquals((await session.reset({})).observation, "Guess a number from 1 to 16.");
    await session.close();
  }
  assertEquals(asked, 1);
});

Deno.test("a reply is the action in JSON where the configuration says so; another one is the agent's fault", async () => {
  const got: unknown[] = [];
  await using server = socketServer((socket) => {
    socket.onmessage = ({ data }) => {
      got.push(JSON.parse(data));
      socket.send(observation);
    };
  });
  const session = sessionAt(server.url, { action_field: "*", text_field: "*", action_extra: { lang: "py" } });
  const { observation: text } = await session.reset({ seed: 1 });
  assertEquals(Object.keys(JSON.parse(text)), ["text", "admissible", "score", "verdict"]);
  await session.step('{"code": "1"}');
  assertEquals(got.at(-1), { type: "step", data: { lang: "py", code: "1" } });
  for (const reply of ["print(1)", "[1]", "null"]) {
    assertEquals((await assertRejects(() => session.step(reply), RemoteFault)).kind, "bad_action");
  }
  assertEquals(got.length, 2);
  await session.close();
});

Deno.test("any frame is read or is a malformed fault", () => {
  fc.assert(fc.property(
    fc.oneof(
      fc.string({ unit: "binary" }),
      fc.json(),
      fc.record({ type: fc.constantFrom("observation", "state", "error"), data: fc.jsonValue() }).map((f) =>
        JSON.stringify(f)
      ),
    ),
    (text) => {
      try {
        readFrame(text);
      } catch (error) {
        assert(error instanceof RemoteFault && error.kind === "malformed", String(error));
        assert(!error.message.includes("\n") || text.includes("\n"));
      }
    },
  ));
});
