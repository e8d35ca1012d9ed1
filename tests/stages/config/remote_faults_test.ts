import { assertEquals } from "@std/assert";
import { Result } from "effect";
import { loadConfig } from "../../../stages/config/load_config.ts";
import { isLoopback } from "../../../stages/config/loopback.ts";

/** Paths and messages of the faults of a configuration with task.environment=remote. */
function faultsOf(...overrides: string[]): readonly string[] {
  const result = loadConfig({ source: "test", overrides: ["task.environment=remote", ...overrides] });
  return Result.isSuccess(result) ? [] : result.failure.faults.map((f) => `${f.path} ${f.message}`);
}

Deno.test("only this machine is an address, unless the configuration names the host", () => {
  for (
    const address of ["ws://127.0.0.1:8000", "http://localhost:1", "wss://[::1]:9/x", "https://127.3.2.1"]
  ) {
    assertEquals(faultsOf(`remote.url=${address}`), []);
  }
  for (
    const address of [
      "ws://10.0.0.1:8000",
      "http://127.0.0.1.example.com",
      "http://localhost.example.com/",
      "http://example.com@evil.test/",
      "ws://0.0.0.0:1",
      "ftp://127.0.0.1",
      "127.0.0.1:8000",
      "nonsense",
    ]
  ) {
    assertEquals(faultsOf(`remote.url=${address}`).length, 1, address);
  }
  assertEquals(faultsOf("remote.url=ws://lab.example:8000"), [
    "remote.url lab.example is not this machine; name it in remote.hosts to allow it",
  ]);
  assertEquals(faultsOf("remote.url=ws://lab.example:8000", "remote.hosts=[lab.example]"), []);
  assertEquals(faultsOf("remote.url=http://me@127.0.0.1/"), ["remote.url must not hold a user name"]);
});

Deno.test("loopback is what URLs call it, and nothing that looks like it", () => {
  for (const host of ["localhost", "LOCALHOST", "127.0.0.1", "127.255.0.9", "::1", "[::1]"]) {
    assertEquals(isLoopback(host), true, host);
  }
  for (const host of ["", "localhost.", "128.0.0.1", "127.0.0.1.org", "x127.0.0.1", "::2", "127.1"]) {
    assertEquals(isLoopback(host), false, host);
  }
});

Deno.test("a server needs an address, AgentGym numbered tasks and HTTP, a range an end above its start", () => {
  assertEquals(faultsOf(), ["remote.url task.environment remote needs the address of a server"]);
  const gym = ["remote.protocol=agentgym", "remote.url=http://127.0.0.1:1"];
  assertEquals(faultsOf(...gym), [
    "remote.train AgentGym's tasks are numbered: give the range of at least one split",
  ]);
  assertEquals(faultsOf(...gym, "remote.train=[0, 2420]"), []);
  assertEquals(faultsOf(...gym, "data.test=rows.jsonl"), []);
  assertEquals(faultsOf(...gym, "remote.train=[5, 5]"), [
    "remote.train the end must be above the start, got [5, 5]",
  ]);
  assertEquals(faultsOf("remote.protocol=agentgym", "remote.url=ws://127.0.0.1:1", "remote.test=[0, 1]"), [
    "remote.url must begin with http:// or https://, got ws://",
  ]);
  // What is not used is not judged.
  const unused = loadConfig({ source: "test", overrides: ["remote.url=ws://example.com"] });
  assertEquals(Result.isSuccess(unused), true);
});
