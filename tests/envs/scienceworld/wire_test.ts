import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import fc from "fast-check";
import { connectLine } from "../../../envs/scienceworld/py4j/connect_line.ts";
import { JavaClient } from "../../../envs/scienceworld/py4j/java_client.ts";
import {
  callRequest,
  decodeAnswer,
  encodeArgument,
  escapeLine,
  JavaFault,
  unescapeLine,
} from "../../../envs/scienceworld/py4j/wire.ts";
import { exchanges } from "./_recorded.ts";

Deno.test("arguments are written as Py4J's protocol says", () => {
  const cases: readonly (readonly [Parameters<typeof encodeArgument>[0], string])[] = [
    [null, "n"],
    [true, "btrue"],
    [7, "i7"],
    [-(2 ** 31), "i-2147483648"],
    [2 ** 31, "L2147483648"],
    [12n, "L12"],
    [0.5, "d0.5"],
    [NaN, "dNaN"],
    [Infinity, "dInfinity"],
    ["a\\b\r\nc", "sa\\\\b\\r\\nc"],
    [{ id: "o3" }, "ro3"],
  ];
  for (const [value, line] of cases) assertEquals(encodeArgument(value), line);
});

Deno.test("any text goes into one line and comes back", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.stringMatching(/^[\\nr\n\r]*$/)), (text) => {
      const line = escapeLine(text);
      assertEquals(/[\r\n]/.test(line), false);
      assertEquals(unescapeLine(line), text);
      assertEquals(decodeAnswer(`!ys${line}`), text);
    }),
    { numRuns: 300, seed: 5 },
  );
});

Deno.test("answers are read; what is none of the protocol is a fault", () => {
  assertEquals(decodeAnswer("!yv"), null);
  assertEquals(decodeAnswer("!yd-0.01"), -0.01);
  assertEquals(decodeAnswer("!yi-3"), -3);
  assertEquals(decodeAnswer("!yL9007199254740993"), 9007199254740993n);
  assertEquals(decodeAnswer("!ybfalse"), false);
  assertEquals(decodeAnswer("!ylo4"), { id: "o4" });
  assertThrows(() => decodeAnswer("!xsno\\nway"), JavaFault, "no\nway");
  assertThrows(() => decodeAnswer("!xro9"), JavaFault, "exception");
  for (const line of ["", "!", "!y", "!yq", "!z", "HTTP/1.1 400", "!yLx"]) {
    assertThrows(() => decodeAnswer(line), JavaFault, "none of Py4J");
  }
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (line) => {
      try {
        decodeAnswer(line);
      } catch (error) {
        assertEquals(error instanceof JavaFault, true);
      }
    }),
    { numRuns: 300, seed: 5 },
  );
});

Deno.test("every recorded request is what the client writes", () => {
  const load = exchanges.find(({ request }) => request.includes("\nload\n"))!;
  assertEquals(load.request, callRequest("o0", "load", ["find-living-thing", 3, "easy", true]));
});

/** A server on this machine that runs `serve` for one connection. */
async function serving<A>(
  serve: (connection: Deno.Conn) => Promise<void>,
  use: (client: JavaClient) => Promise<A>,
): Promise<A> {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const served = listener.accept().then(serve);
  const line = await connectLine((listener.addr as Deno.NetAddr).port);
  try {
    return await use(new JavaClient(line));
  } finally {
    line.close();
    await served;
    listener.close();
  }
}

async function write(connection: Deno.Conn, bytes: Uint8Array): Promise<void> {
  for (let sent = 0; sent < bytes.length;) sent += await connection.write(bytes.subarray(sent));
}

Deno.test("an answer may come in pieces that cut a letter in two, be a megabyte long, or come with the next", async () => {
  const long = "é\n€😀".repeat(150_000);
  const answers = new TextEncoder().encode(`!ys${escapeLine(long)}\n!yi1\n`);
  await serving(async (connection) => {
    await connection.read(new Uint8Array(1000));
    for (let at = 0; at < answers.length; at += 99_991) {
      await write(connection, answers.subarray(at, at + 99_991));
    }
    await connection.read(new Uint8Array(1000)).catch(() => {});
    connection.close();
  }, async (client) => {
    assertEquals(await client.call("t", "text"), long);
    assertEquals(await client.call("t", "number"), 1);
  });
});

Deno.test("a connection that ends in the middle of an answer rejects the call", async () => {
  await serving(async (connection) => {
    await connection.read(new Uint8Array(1000));
    await write(connection, new TextEncoder().encode("!ysha"));
    connection.close();
  }, (client) => assertRejects(() => client.call("t", "text"), Error, "the connection ended"));
});

Deno.test("calls made together are sent one by one, each after the answer before it", async () => {
  const requests: string[] = [];
  await serving(async (connection) => {
    const chunk = new Uint8Array(1000);
    for (let k = 0; k < 3;) {
      // Whatever else was sent has arrived before the answer goes out.
      await new Promise((wake) => setTimeout(wake, 5));
      requests.push(new TextDecoder().decode(chunk.subarray(0, await connection.read(chunk) ?? 0)));
      for (const _ of requests.at(-1)!.matchAll(/^e$/gm)) {
        await write(connection, new TextEncoder().encode(`!yi${k++}\n`));
      }
    }
    connection.close();
  }, async (client) => {
    const answers = await Promise.all(["a", "b", "c"].map((method) => client.call("t", method)));
    assertEquals(answers, [0, 1, 2]);
  });
  assertEquals(requests, ["a", "b", "c"].map((method) => callRequest("t", method, [])));
});
