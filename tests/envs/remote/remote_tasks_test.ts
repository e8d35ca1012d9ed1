import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { remoteTasks } from "../../../envs/remote/remote_tasks.ts";
import type { Split } from "../../../envs/env.ts";
import type { RemoteConfig } from "../../../stages/config/remote_config.ts";
import { FileError } from "../../../stages/errors.ts";
import { remoteConfig } from "./_servers.ts";

const noFiles = { train: null, valid: null, test: null };

function tasksOf(settings: Partial<RemoteConfig>, files: Record<Split, string | null> = noFiles) {
  return remoteTasks({ config: remoteConfig(settings), files, badRows: 0, maxTurns: 9 }, () => {});
}

Deno.test("seeds of the splits have no end and never meet; a named range is that range", async () => {
  const own = await tasksOf({});
  const ids = new Set<string>();
  for (const split of ["train", "valid", "test"] as const) {
    assertEquals(own.size(split), Infinity);
    for (let i = 0; i < 40; i++) {
      const { data } = (await own.task(split, i)).payload as { data: { seed: number } };
      ids.add(String(data.seed));
    }
  }
  assertEquals(ids.size, 120);
  const named = await tasksOf({ train: [5, 8] });
  assertEquals(named.size("train"), 3);
  assertEquals(await named.task("train", 2), {
    id: "remote/train/7",
    kind: "remote",
    payload: { data: { seed: 7 }, maxTurns: 9 },
  });
  assertThrows(() => named.task("train", 3), RangeError, "split train has 3 tasks, no task 3");
});

Deno.test("AgentGym's tasks are numbered by its own field, and there are none unless named", async () => {
  const tasks = await tasksOf({ protocol: "agentgym", game: "alfworld", test: [2420, 2430] });
  assertEquals([tasks.size("train"), tasks.size("test")], [0, 10]);
  const { payload, kind } = await tasks.task("test", 1);
  assertEquals([payload, kind], [{ data: { game: 2421 }, maxTurns: 9 }, "alfworld"]);
});

Deno.test("a row is the data of a reset; its kind stays here; a broken row names file and row", async () => {
  const path = await Deno.makeTempFile();
  try {
    await Deno.writeTextFile(path, '{"kind":"maze","seed":4,"size":9}\n{"prompt":"a"}\n');
    const tasks = await tasksOf({}, { ...noFiles, train: path });
    const [maze, other] = [await tasks.task("train", 0), await tasks.task("train", 1)];
    assertEquals([maze.kind, maze.payload], ["maze", { data: { seed: 4, size: 9 }, maxTurns: 9 }]);
    assertEquals([other.kind, other.payload], ["remote", { data: { prompt: "a" }, maxTurns: 9 }]);
    assertEquals(tasks.size("valid"), Infinity);
    await Deno.writeTextFile(path, "[1]");
    const error = await assertRejects(() => tasksOf({}, { ...noFiles, train: path }), FileError);
    assertEquals(error.message.includes("row 1"), true, error.message);
  } finally {
    await Deno.remove(path);
  }
});
