/**
 * Whole runs of the shipped policy in processes of their own: what must not change
 * a result, and what must not lose one.
 *
 * @module
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";

const SETTINGS = [
  "trainer.total_steps=8",
  "trainer.save_steps=2",
  "task.eval_tasks=6",
  "rollout.batch_size=3",
  "rollout.n=4",
  "log.attempts_every=3",
  "engine.threads=1",
];

function train(run: string, ...more: readonly string[]): Deno.ChildProcess {
  const args = ["--allow-read", "--allow-write", "--allow-ffi", "--allow-env"];
  return new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-check",
      ...args,
      "pipelines/verbs/train.ts",
      `trainer.run_dir=${run}`,
      ...SETTINGS,
      ...more,
    ],
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

async function finish(child: Deno.ChildProcess): Promise<string> {
  const { code, stdout, stderr } = await child.output();
  const text = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  assertEquals(code, 0, text);
  return text;
}

/** Lines of metrics.jsonl without what differs from run to run. */
function metrics(run: string): Record<string, number>[] {
  return Deno.readTextFileSync(`${run}/metrics.jsonl`).trim().split("\n").map((line) =>
    Object.fromEntries(
      Object.entries(JSON.parse(line)).filter(([name]) => !/^(timing_s|perf)\//.test(name)),
    ) as Record<string, number>
  );
}

const weights = (run: string) => Deno.readFileSync(`${run}/checkpoints/step_8/model.safetensors`);

Deno.test("whole runs", async (t) => {
  const folder = Deno.makeTempDirSync();
  const straight = `${folder}/straight`;
  try {
    await t.step("a run leaves what it promises", async () => {
      const text = await finish(train(straight));
      assertEquals(metrics(straight).map(({ step }) => step), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
      for (const name of ["config.yaml", "attempts.jsonl", "report.html"]) {
        assert(Deno.statSync(`${straight}/${name}`).size > 0, name);
      }
      assertEquals([...Deno.readDirSync(`${straight}/checkpoints`)].map(({ name }) => name).sort(), [
        "step_6",
        "step_8",
      ]);
      assertStringIncludes(text, "report.html");
      assert(text.split("\n").every((line) => line.length <= 80 || line.includes(folder)), text);
      assert(metrics(straight).some((line) => line["actor/grad_norm"] > 0), "no step had a gradient");
    });

    await t.step("the same seed gives the same metrics, however many environments step at once", async () => {
      await finish(train(`${folder}/again`, "rollout.concurrency=1"));
      assertEquals(metrics(`${folder}/again`), metrics(straight));
      assertEquals(weights(`${folder}/again`), weights(straight));
    });

    await t.step("killed and resumed is as never interrupted", async () => {
      const run = `${folder}/killed`;
      const child = train(run);
      while (!lastStep(run, 5)) await new Promise((resolve) => setTimeout(resolve, 20));
      child.kill("SIGKILL");
      await child.output();
      assertStringIncludes(await finish(train(run)), `continuing ${run} after step 4`);
      assertEquals(metrics(run), metrics(straight));
      assertEquals(weights(run), weights(straight));
      assertEquals(
        Deno.readTextFileSync(`${run}/attempts.jsonl`),
        Deno.readTextFileSync(`${straight}/attempts.jsonl`),
      );
    });

    await t.step("another seed gives other metrics", async () => {
      await finish(train(`${folder}/other`, "trainer.seed=2", "trainer.total_steps=2"));
      const [, first] = metrics(`${folder}/other`);
      assert(JSON.stringify(first) !== JSON.stringify(metrics(straight)[1]));
    });
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

/** Whether metrics.jsonl holds a whole line of this step or a later one. */
function lastStep(run: string, step: number): boolean {
  try {
    return Deno.readTextFileSync(`${run}/metrics.jsonl`).split("\n").length > step + 1;
  } catch {
    return false;
  }
}
