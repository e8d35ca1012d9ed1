import { assertEquals, assertRejects } from "@std/assert";
import { type AgentGymGame, agentGymGames } from "../../../envs/remote/agentgym/agentgym_games.ts";
import { AgentGymSession } from "../../../envs/remote/agentgym/agentgym_session.ts";
import { RemoteFault } from "../../../envs/remote/remote_fault.ts";
import { localServer } from "./_servers.ts";

interface Asked {
  readonly request: string;
  readonly body?: unknown;
}

const recorded: Readonly<Record<string, readonly (Asked & { readonly answer: unknown })[]>> = JSON.parse(
  Deno.readTextFileSync(new URL("../../../fixtures/remote/agentgym_exchanges.json", import.meta.url)),
);

async function askedOf(request: Request): Promise<Asked> {
  const { pathname, search } = new URL(request.url);
  const what = { request: `${request.method} ${pathname}${search}` };
  return request.method === "POST" ? { ...what, body: await request.json() } : what;
}

function sessionAt(url: string, game: AgentGymGame, retries = 0, timeoutMs = 2000): AgentGymSession {
  return new AgentGymSession({ url: new URL(url), game, retries, timeoutMs });
}

for (const name of ["alfworld", "sciworld", "webshop"] as const) {
  Deno.test(`${name}: an episode asks what its server takes and reads what it gives`, async () => {
    const exchange = recorded[name];
    const asked: Asked[] = [];
    await using server = localServer(async (request) => {
      asked.push(await askedOf(request));
      return Response.json(exchange[asked.length - 1].answer);
    });
    const game = agentGymGames[name];
    const session = sessionAt(server.url, game);
    const answers = [await session.reset({ [game.index]: 5 })];
    for (const { request, body } of exchange) {
      if (request === "POST /step") answers.push(await session.step((body as { action: string }).action));
    }
    await session.close();
    assertEquals(
      asked,
      exchange.map(({ request, body }) => ({ request, ...(body !== undefined && { body }) })),
    );
    const last = answers.at(-1)!;
    assertEquals([last.done, last.score ?? last.reward], [true, 1]);
    const first = {
      alfworld: "You are in a room.\nYour task is to: put a cup in sink.",
      sciworld: "Your task is to boil water.\nThis room is called the kitchen.",
      webshop: "Instruction: [SEP] Find a lamp [SEP] Search",
    };
    assertEquals(answers[0].observation, first[name]);
    assertEquals(answers[0].admissible, name === "alfworld" ? ["go to sink 1", "look"] : undefined);
  });
}

Deno.test("a reset is tried again where the server has a passing fault, a step never", async () => {
  const asked: string[] = [];
  await using server = localServer((request) => {
    const { pathname } = new URL(request.url);
    asked.push(pathname);
    if (pathname === "/step" || asked.length < 3) return new Response("busy", { status: 503 });
    return Response.json({ id: 1, observation: "Hello." });
  });
  const session = sessionAt(server.url, agentGymGames.textcraft, 3);
  assertEquals((await session.reset({ data_idx: 0 })).observation, "Hello.");
  assertEquals(asked, ["/create", "/create", "/create", "/reset"]);
  const fault = await assertRejects(
    () => session.step("look"),
    RemoteFault,
    "/step answered with status 503: busy",
  );
  assertEquals([fault.kind, asked.length], ["refused", 5]);
});

Deno.test("servers that answer late, wrongly or never are faults of their kind", async () => {
  const cases:
    readonly (readonly [kind: string, says: string, answer: () => Response | Promise<Response>])[] = [
      ["failed", "/create says: no game 9", () => Response.json({ error: "no game 9" })],
      ["failed", "/create answered with status 404", () => new Response("no such path", { status: 404 })],
      ["malformed", "/create answered no JSON: <html>", () => new Response("<html>")],
      ["malformed", "field id is no number", () => Response.json({ observation: "" })],
      ["malformed", "more than 16777216 bytes", () => new Response(new Uint8Array((1 << 24) + 1))],
      ["refused", "cannot reach 127.0.0.1", () => Response.redirect("http://127.0.0.1:1/create")],
      [
        "late",
        "/create gave no answer within 60 ms",
        () => new Promise((resolve) => setTimeout(() => resolve(new Response("{}")), 120)),
      ],
    ];
  for (const [kind, says, answer] of cases) {
    await using server = localServer(answer);
    const session = sessionAt(server.url, agentGymGames.textcraft, 0, kind === "late" ? 60 : 5000);
    const fault = await assertRejects(() => session.reset({ data_idx: 9 }), RemoteFault, says);
    assertEquals(fault.kind, kind, fault.message);
    await session.close();
  }
});

Deno.test("a redirection is not followed, wherever it leads", async () => {
  let asked = 0;
  await using other = localServer(() => {
    asked++;
    return Response.json({ id: 1, observation: "Hello." });
  });
  await using server = localServer(() => Response.redirect(`${other.url}/create`, 307));
  const session = sessionAt(server.url, agentGymGames.textcraft);
  await assertRejects(() => session.reset({ data_idx: 0 }), RemoteFault, "cannot reach");
  assertEquals(asked, 0);
});

Deno.test("a step's answer with a wrong field names it", async () => {
  const right = { observation: "", reward: 1, score: 1, done: false };
  for (
    const [field, value] of [["observation", 3], ["reward", "1"], ["score", null], ["done", 1]] as const
  ) {
    await using server = localServer((request) =>
      Response.json(
        request.url.endsWith("/step")
          ? { ...right, [field]: value }
          : { id: 1, observation: "", task_description: "" },
      )
    );
    const session = sessionAt(server.url, agentGymGames.sciworld);
    await session.reset({ data_idx: 0 });
    await assertRejects(() => session.step("look"), RemoteFault, `field ${field} is`);
  }
});
