import { assert, assertEquals, assertRejects } from "@std/assert";
import { Effect, Layer, Result } from "effect";
import { Environment, type EnvironmentShape } from "../../../envs/env.ts";
import { countdownTasks } from "../../../envs/countdown/tasks.ts";
import { schools } from "../../../envs/schools.ts";
import { layOut } from "../../../pipelines/offline/conversation.ts";
import { trainIndex } from "../../../pipelines/run/train_index.ts";
import { lessonRow } from "../../../pipelines/warm_start/lesson_row.ts";
import { makePolicyFiles } from "../../../pipelines/warm_start/make_policy.ts";
import { tinyModel } from "../../../pipelines/warm_start/recipe.ts";
import { writeDemonstrations } from "../../../pipelines/demonstrations/write_demonstrations.ts";
import { demonstrationRow } from "../../../pipelines/offline/demonstration_row.ts";
import { environmentOf } from "../../../pipelines/run/environment_of.ts";
import { loadRunConfig } from "../../../pipelines/run/load_run_config.ts";
import { makeProgress } from "../../../pipelines/terminal/progress.ts";
import { ConfigError } from "../../../stages/errors.ts";

const questions = new URL("../../../fixtures/questions/", import.meta.url).pathname;

async function write(settings: readonly string[], change = (shape: EnvironmentShape) => shape) {
  const folder = await Deno.makeTempDir();
  try {
    const out = `${folder}/new/demonstrations.jsonl`;
    const overrides = ["demonstrations.tasks=6", `demonstrations.out=${out}`, ...settings];
    const config = Result.getOrThrow(loadRunConfig({ source: "test", overrides }));
    const layer = Layer.effect(Environment, Effect.map(Environment, change)).pipe(
      Layer.provide(environmentOf(config)),
    );
    const counts = await Effect.runPromise(
      writeDemonstrations(config, makeProgress("none", 1)).pipe(Effect.provide(layer)),
    );
    const rows = Deno.readTextFileSync(out).trim().split("\n").map((line) => JSON.parse(line));
    return { counts, rows };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

for (
  const settings of [
    ["task.environment=household"],
    ["task.environment=shop"],
    ["task.environment=lab"],
    ["task.environment=countdown"],
    ["task.environment=math", `data.train=${questions}gsm8k.jsonl`],
    ["task.environment=multiple_choice", `data.train=${questions}invented_arc.jsonl`],
    ["task.environment=function_call", `data.train=${questions}invented_xlam.jsonl`],
  ]
) {
  Deno.test(`${settings[0]}: solutions are conversations that sft reads, and that win when they are played`, async () => {
    const { counts, rows } = await write(settings);
    assertEquals(counts.unsolved, {});
    assertEquals(rows.length, counts.written);
    let replies = 0;
    for (const row of rows) {
      const { messages } = demonstrationRow(row);
      const said = messages.filter(({ role }) => role === "assistant");
      replies += said.length;
      assertEquals(messages.at(-1)?.role, "assistant");
      const config = Result.getOrThrow(loadRunConfig({ source: "test", overrides: settings }));
      const won = Effect.gen(function* () {
        const environment = yield* Environment;
        const [, , level, index] = row.id.split("/");
        const at = environment.size("train") === Infinity ? Number(index) : Number(level);
        const episode = yield* environment.open(yield* environment.task("train", at));
        let turn = yield* episode.reset;
        for (const { content } of said) turn = yield* episode.step(environment.format.action(content));
        return turn.won;
      });
      assert(await Effect.runPromise(Effect.scoped(won).pipe(Effect.provide(environmentOf(config)))), row.id);
    }
    assertEquals(counts.replies, replies);
  });
}

Deno.test("tasks that cannot be shown are counted by reason, and an environment without solutions is an error", async () => {
  let asked = 0;
  const silent = (every: number) => (shape: EnvironmentShape): EnvironmentShape => ({
    ...shape,
    open: (task) =>
      Effect.map(shape.open(task), (episode) => ({
        ...episode,
        oracle: Effect.flatMap(episode.oracle, (commands) =>
          Effect.succeed(asked++ % every === 0 ? [] : commands)),
      })),
  });
  const { counts } = await write(["task.environment=household"], silent(3));
  assertEquals([counts.written, counts.unsolved], [4, { "no solution is known": 2 }]);
  await assertRejects(
    () => write(["task.environment=household"], silent(1)),
    ConfigError,
    "household: no solution is known",
  );
  const tagged = (shape: EnvironmentShape): EnvironmentShape => ({
    ...shape,
    format: { ...shape.format, action: (reply) => /<action>(.*)<\/action>/.exec(reply)?.[1] ?? "" },
  });
  await assertRejects(() => write([], tagged), ConfigError, "does not take bare commands");
});

for (const name of ["household", "shop", "lab", "countdown"] as const) {
  Deno.test(`${name}: a curriculum's lessons are laid out as the warm start lays them out, retries from their pivot on`, async () => {
    const level = name === "household" ? 1 : 0;
    const seed = 3;
    const { counts, rows } = await write([
      ...[`task.environment=${name}`, `task.level=${level}`, `trainer.seed=${seed}`],
      ...["demonstrations.curriculum=flawed", "algorithm.reflect_prompt=What went wrong?"],
    ]);
    const school = schools[name](level);
    const instruction = "What went wrong?";
    const { chat } = makePolicyFiles(school, tinyModel, instruction);
    const size = name === "countdown" ? countdownTasks(0, 1).size("train") : Infinity;
    const taught = Array.from({ length: 6 }, (_, cursor) => {
      const lessons = school.lessons(trainIndex(cursor, seed, size), "flawed");
      return lessons.map((lesson) =>
        lessonRow(lesson, chat, school.format, { reportWeight: 1, instruction })
      );
    }).flat();
    const read = rows.map((row) => layOut(demonstrationRow(row), chat));
    assertEquals(read.map(({ ids, mask }) => ({ ids, weights: mask })), taught);
    assertEquals(new Set(rows.map(({ id }) => id)).size, rows.length);
    school.lessons(trainIndex(0, seed, size), "flawed").forEach(({ guidance, from }, k) => {
      const asked = rows[k].prompt.filter(({ role }: { role: string }) => role === "user");
      assertEquals(asked.length, from + 1);
      assertEquals(asked.at(-1).content.includes("Guidance: "), guidance !== "");
      assert(asked.at(-1).content.includes(guidance));
    });
    const said = rows.flatMap(({ completion }) => completion as { role: string }[]);
    assertEquals(said.filter(({ role }) => role === "assistant").length, counts.replies);
    const reports = said.filter((message) => JSON.stringify(message).includes("retry_from_step"));
    assert(reports.length >= 6, "every task has a reflection");
  });
}

Deno.test("an environment without a demonstrator has no curriculum", async () => {
  await assertRejects(
    () =>
      write([
        ...["task.environment=math", `data.train=${questions}gsm8k.jsonl`],
        "demonstrations.curriculum=capable",
      ]),
    ConfigError,
    "demonstrations.curriculum: math has no demonstrator; it is of household, shop, lab, countdown",
  );
});

for (
  const [key, ...settings] of [
    ["task.level", "task.environment=countdown", "task.level=2"],
    [
      "data.train",
      "task.environment=countdown",
      "task.level=0",
      "data.train=fixtures/questions/countdown.jsonl",
    ],
    ["task.kinds", "task.environment=household", "task.kinds={look_at_obj_in_light: 1}"],
    ["task.max_turns", "task.environment=household", "task.max_turns=2"],
    ["task.prompt", "task.environment=household", "task.prompt=r3l"],
    ["data.shop.pages", "task.environment=shop", "task.level=0", "data.shop.pages=text"],
    ["algorithm.guidance", "task.environment=household", "algorithm.guidance=report"],
    ["algorithm.reflect_form", "task.environment=household", "algorithm.reflect_form=text"],
  ]
) {
  Deno.test(`lessons would not follow ${settings.slice(1).join(" ")}: a fault of ${key}`, async () => {
    await assertRejects(
      () => write([...settings, "demonstrations.curriculum=capable"]),
      ConfigError,
      `${key}: lessons of a curriculum are made with `,
    );
  });
}
