/**
 * The failure set of Reflect, Retry, Reward as a user makes and uses it, with the
 * shipped policy, in small.
 *
 * @module
 */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { Effect, Layer, Stream } from "effect";
import { recallFailures } from "../../../pipelines/failure_set/recall_failures.ts";
import { environmentOf } from "../../../pipelines/run/environment_of.ts";
import { policyLayer } from "../../../pipelines/run/run_layers.ts";
import { taskStream } from "../../../pipelines/run/task_stream.ts";
import type { Sampled } from "../../../stages/record.ts";
import { smallConfig, train } from "../_train.ts";

const script = new URL("../../../pipelines/verbs/failures.ts", import.meta.url).pathname;

function start(out: string, ...more: readonly string[]): Deno.ChildProcess {
  const settings = [
    `failures.out=${out}`,
    "failures.tasks=10",
    "failures.cap=3",
    "failures.chunk=2",
    "engine.threads=1",
    // Few sequences at once: the work file grows line by line.
    "rollout.decode_batch=2",
  ];
  return new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-check",
      "--allow-read",
      "--allow-write",
      "--allow-ffi",
      "--allow-env",
      script,
      ...settings,
      ...more,
    ],
    stdout: "piped",
    stderr: "piped",
    env: { NO_COLOR: "1" },
  }).spawn();
}

async function make(out: string, ...more: readonly string[]) {
  const { code, stdout, stderr } = await start(out, ...more).output();
  const text = new TextDecoder();
  return { code, out: text.decode(stdout), err: text.decode(stderr) };
}

const read = (path: string) => Deno.readTextFileSync(path);
const rowsOf = (path: string) => read(path).trim().split("\n").map((line) => JSON.parse(line));

/** Plays stored failures again through the stage that training uses. */
function recall(path: string, count: number): Promise<readonly Sampled[]> {
  const config = smallConfig(`trainer.total_steps=${count}`, "rollout.batch_size=1");
  const options = { temperature: 1, maxTokens: 16, concurrency: 2, batch: 3, seed: 1, badRows: 0 };
  return Effect.runPromise(
    taskStream(config).pipe(
      recallFailures(path, options),
      Stream.runCollect,
      Effect.provide(Layer.mergeAll(policyLayer(config, config.policy.path), environmentOf(config))),
      Effect.scoped,
    ),
  );
}

const messageOf = (run: Promise<unknown>) => run.then(() => "no error", (error) => String(error.message));

Deno.test("a failure set", async (t) => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/whole.jsonl`;
  try {
    await t.step("is made of tasks that every attempt failed at", async () => {
      const { code, out, err } = await make(path);
      assertEquals([code, err], [0, ""]);
      assertMatch(out, /tasks tried +10\n/);
      const rows = rowsOf(path);
      assert(rows.length >= 3 && rows.length < 10, out);
      assert(rows.every(({ n_sampled, n_success }) => n_sampled === 3 && n_success === 0));
      const indices = rows.map(({ index }) => index);
      assertEquals(indices, indices.toSorted((a, b) => a - b));
      assertEquals(rows[0].sampling, { temperature: 1, max_tokens: 16, seed: 1 });
      assertEquals([rows[0].model, rows[0].keep], ["fixtures/policies/household", "all_fail"]);
      assert(!JSON.stringify([...Deno.readDirSync(folder)]).includes(".work"));
    });

    await t.step("is the same after a kill, with another batch size and concurrency", async () => {
      const killed = `${folder}/killed.jsonl`;
      const child = start(killed);
      const lines = () => {
        try {
          return read(`${killed}.work`).split("\n").length - 1;
        } catch {
          return 0;
        }
      };
      const [settings, ...settled] = await waitFor(() => lines() >= 4 && read(`${killed}.work`).split("\n"));
      child.kill("SIGKILL");
      await child.output();
      assert(settled.length >= 3 && settings.includes("all_fail"));
      // What a kill in the middle of a write leaves behind.
      Deno.writeTextFileSync(`${killed}.work`, '{"index":', { append: true });
      const before = lines();
      const { code, err } = await make(killed, "rollout.decode_batch=32", "rollout.concurrency=1");
      assertEquals([code, err], [0, ""]);
      assert(before < 11);
      assertEquals(read(killed), read(path));
      assertEquals(JSON.parse(read(`${killed}.meta.json`)).counts.tasks, 10);
    });

    await t.step("is not made again, and not overwritten with other settings", async () => {
      const whole = read(path);
      assertEquals((await make(path)).code, 0);
      const other = await make(path, "failures.cap=4");
      assertEquals(other.code, 2);
      assertStringIncludes(other.err, "failures.out: ");
      assertStringIncludes(other.err, "cap was 3, is 4");
      assertEquals(read(path), whole);
    });

    await t.step("is played again token by token, and fails again", async () => {
      const rows = rowsOf(path);
      const groups = await recall(path, rows.length);
      assertEquals(new Set(groups.map(({ task }) => task.id)), new Set(rows.map(({ id }) => id)));
      for (const { task, attempts: [attempt] } of groups) {
        const row = rows.find(({ id }) => id === task.id);
        assertEquals([attempt.won, attempt.reward, attempt.feedback], [false, 0, row.feedback]);
        assertEquals(
          attempt.turns.map(({ start, end }) => attempt.ids.slice(start, end)),
          row.replies.map(({ ids }: { ids: number[] }) => ids),
        );
      }
    });

    await t.step("trains reflections alone, without sampling first attempts", async () => {
      const config = smallConfig(
        "algorithm.name=reflect_retry_reward",
        `algorithm.offline=${path}`,
        "trainer.total_steps=1",
        "optim.lr=0.001",
      );
      const { reports: [report] } = await train(config);
      const stored = new Set(rowsOf(path).map(({ id }) => id));
      assert(report.groups.every(({ task }) => stored.has(task.id)));
      const members = report.groups.flatMap((group) => group.members);
      assert(members.length > 0 && members.every(({ kind }) => kind === "reflection"));
      assertEquals(members.length, 2 * 4);
    });

    await t.step(
      "with a row of another task, prompt or form is an error that names row and field",
      async () => {
        const [first, ...rest] = rowsOf(path);
        const reply = first.replies[0];
        for (
          const [change, part] of [
            [{ id: "household/train/1/000099" }, "row 1, field id: is household/train/1/000099, but"],
            [{ prompt_hash: "0" }, "row 1, field prompt_hash: "],
            [{ replies: [] }, "row 1, field replies: expected a list of replies"],
            [{ replies: [{ ...reply, ids: ["a"] }] }, "row 1, field replies[0].ids: expected token ids"],
            [{ replies: [{ ...reply, stop: "end" }] }, "row 1, field replies[0].stop: expected one of"],
            [{ replies: [reply] }, "goes on after 1 stored replies"],
            [{ index: -1 }, "row 1, field index"],
          ] as const
        ) {
          const other = `${folder}/other.jsonl`;
          Deno.writeTextFileSync(
            other,
            [{ ...first, ...change }, ...rest].map((row) => JSON.stringify(row)).join("\n"),
          );
          const message = await messageOf(recall(other, rest.length + 1));
          assertStringIncludes(message, part);
        }
      },
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

async function waitFor<A>(ask: () => A | false): Promise<A> {
  for (let i = 0; i < 2400; i++) {
    const answer = ask();
    if (answer !== false) return answer;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error("waited for a minute");
}
