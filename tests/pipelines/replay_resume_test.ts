import { assert, assertEquals } from "@std/assert";
import { Effect } from "effect";
import { makeProgress } from "../../pipelines/terminal/progress.ts";
import { openRunFolder } from "../../pipelines/run_folder/run_folder.ts";
import { trainLoop } from "../../pipelines/run/train_loop.ts";
import { smallConfig } from "./_train.ts";

/** Trains in `folder` up to step `steps`, from where it stands. */
function trainTo(steps: number, folder: string): Promise<void> {
  const config = smallConfig(
    "algorithm.loss=ppo",
    "algorithm.replay.steps_per_sample=3",
    "optim.schedule=constant",
    "log.attempts_every=0",
    "log.progress=none",
    "task.eval_tasks=1",
    "eval.temperatures=[1]",
    `trainer.total_steps=${steps}`,
    `trainer.run_dir=${folder}`,
  );
  return Effect.runPromise(
    Effect.scoped(Effect.gen(function* () {
      const run = yield* openRunFolder(config);
      yield* trainLoop(config, run, makeProgress("none", steps));
    })),
  );
}

Deno.test("a run that stops between a sampling and its replays goes on with the saved buffer", async () => {
  const folder = Deno.makeTempDirSync();
  try {
    await trainTo(4, `${folder}/straight`);
    await trainTo(2, `${folder}/resumed`);
    assert(Deno.statSync(`${folder}/resumed/checkpoints/step_2/replay.json`).isFile);
    await trainTo(4, `${folder}/resumed`);
    const weights = (run: string) =>
      Deno.readFileSync(`${folder}/${run}/checkpoints/step_4/model.safetensors`);
    assertEquals(weights("resumed"), weights("straight"));
    const ages = Deno.readTextFileSync(`${folder}/straight/metrics.jsonl`).trim().split("\n").slice(1)
      .map((line) => JSON.parse(line)["training/off_policy/trajectory_staleness/max"]);
    assertEquals(ages, [0, 1, 2, 0]);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
