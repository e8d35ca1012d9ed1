import { Effect, Schema, Stream } from "effect";
import { assert, assertEquals } from "@std/assert";
import { environmentLayer } from "../../../envs/environment_layer.ts";
import { taskStream } from "../../../pipelines/run/task_stream.ts";
import { RunConfig } from "../../../stages/config/run_config.ts";
import { EnvError } from "../../../stages/errors.ts";
import { spellingFormat, spellingTask } from "../../stages/_scripted.ts";

const config = Schema.decodeUnknownSync(RunConfig)({
  trainer: { total_steps: 2 },
  rollout: { batch_size: 3 },
});

function tasks(size: () => number) {
  const layer = environmentLayer({
    name: "test",
    make: () => {
      throw new Error("not opened here");
    },
    tasks: { size, task: (_, index) => ({ ...spellingTask("ab"), id: String(index) }) },
    format: spellingFormat,
    timeoutMs: 30,
  });
  return Effect.runPromise(Effect.result(Effect.provide(Stream.runCollect(taskStream(config)), layer)));
}

Deno.test("a finite split is gone through once an epoch, in another order each time", async () => {
  const found = await tasks(() => 3);
  assert(found._tag === "Success");
  const ids = found.success.map(({ task }) => task.id);
  assertEquals([ids.slice(0, 3).sort(), ids.slice(3).sort()], [["0", "1", "2"], ["0", "1", "2"]]);
});

Deno.test("a split that is empty or cannot be counted is an EnvError", async () => {
  const broken = () => {
    throw new Error("no index");
  };
  for (const size of [() => 0, () => -1, broken]) {
    const found = await tasks(size);
    assert(found._tag === "Failure" && found.failure instanceof EnvError);
  }
});
