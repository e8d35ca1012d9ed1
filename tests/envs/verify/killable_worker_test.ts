import { assert, assertEquals, assertMatch } from "@std/assert";
import { KillableWorker } from "../../../envs/verify/killable_worker.ts";

const script = new URL("./_slow_worker.ts", import.meta.url);

Deno.test("a hanging request is killed, a throwing one is a crash, and the next is served", async () => {
  const worker = new KillableWorker(script, 1500);
  try {
    const [first, hung, crashed, last] = await Promise.all([
      worker.verify("echo", "a"),
      worker.verify("hang"),
      worker.verify("throw"),
      worker.verify("echo", "b"),
    ]);
    assertEquals([first.category, first.extracted], ["ok", "a"]);
    assertEquals([hung.ok, hung.category], [false, "timeout"]);
    assertEquals([crashed.ok, crashed.category], [false, "crash"]);
    assertEquals([last.category, last.extracted], ["ok", "b"]);
  } finally {
    worker.close();
  }
  assertEquals((await worker.verify("echo", "c")).category, "crash");
});

Deno.test("verifiers run in the worker by name, 64 requests at once", async () => {
  const worker = new KillableWorker(
    new URL("../../../envs/verify/verifier_worker.ts", import.meta.url),
    20_000,
  );
  try {
    const verdicts = await Promise.all(
      Array.from(
        { length: 64 },
        (_, i) => worker.verify("math", `\\boxed{${i % 2}+\\sqrt{2}}`, "\\sqrt2+1", {}),
      ),
    );
    assert(verdicts.every(({ ok }, i) => ok === (i % 2 === 1)));
    assertEquals((await worker.verify("no such verifier")).category, "crash");
  } finally {
    worker.close();
  }
});

Deno.test("a worker that cannot start is a crash for each request, not a hang", async () => {
  const worker = new KillableWorker(new URL("./_dead_worker.ts", import.meta.url), 1000);
  await worker.start();
  const { category, reason } = await worker.verify("echo", "a");
  assertEquals(category, "crash");
  assertMatch(reason, /not today/);
  worker.close();
});
