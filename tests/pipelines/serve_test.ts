/**
 * `deno task serve` as a user runs it, with the permissions of the task.
 *
 * @module
 */
import { assertEquals, assertMatch } from "@std/assert";

const script = new URL("../../pipelines/verbs/serve.ts", import.meta.url).pathname;

function serve(host: string): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-check",
      "--no-prompt",
      "--allow-read",
      "--allow-net=127.0.0.1",
      "--allow-env=LOG_TOKENS,LOG_STREAM,ALFWORLD_DATA",
      script,
      `serve.host=${host}`,
      "serve.port=0",
    ],
    stdout: "piped",
    stderr: "piped",
    env: { NO_COLOR: "1" },
  }).spawn();
}

Deno.test("localhost is served at 127.0.0.1", async () => {
  const child = serve("localhost");
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  const line = new TextDecoder().decode(value);
  if (value !== undefined) child.kill("SIGKILL");
  await Promise.all([reader.cancel(), child.stderr.cancel(), child.status]);
  assertMatch(line, /ws:\/\/127\.0\.0\.1:\d+\/ws/);
});

for (const host of ["::1", "127.0.0.2"]) {
  Deno.test(`serve.host=${host} is refused in one message: the task does not allow it`, async () => {
    const { code, stderr } = await serve(host).output();
    const error = new TextDecoder().decode(stderr);
    assertEquals(code, 2, error);
    assertMatch(error, /serve\.host: .* needs deno run --allow-net=/);
    assertEquals(error.includes("    at "), false);
  });
}
