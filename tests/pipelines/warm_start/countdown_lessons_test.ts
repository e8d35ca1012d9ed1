import { assert, assertEquals } from "@std/assert";
import { Effect, Layer, Result } from "effect";
import { schools } from "../../../envs/schools.ts";
import { environmentOf } from "../../../pipelines/run/environment_of.ts";
import { lessonRow } from "../../../pipelines/warm_start/lesson_row.ts";
import { makePolicyFiles } from "../../../pipelines/warm_start/make_policy.ts";
import { tinyModel } from "../../../pipelines/warm_start/recipe.ts";
import { loadConfig } from "../../../stages/config/load_config.ts";
import { Negatives } from "../../../stages/negatives/negatives.ts";
import { REFLECTIVE_TEMPLATE } from "../../../stages/negatives/reflective_prompt.ts";
import { Policy } from "../../../stages/policy/policy.ts";
import { sampleGroups } from "../../../stages/sample/sample_groups.ts";

const INSTRUCTION = "Reflect:";
const school = schools.countdown(0);
const { chat, config } = makePolicyFiles(school, tinyModel, INSTRUCTION);
const options = { reportWeight: 3, instruction: INSTRUCTION };

Deno.test("Countdown's lessons are short, and every word of them is known", () => {
  const [unknown] = chat.encode("\u{1F600}");
  for (const curriculum of ["capable", "flawed", "blind"] as const) {
    for (let index = 400; index < 700; index++) {
      for (const lesson of school.lessons(index, curriculum)) {
        const { ids } = lessonRow(lesson, chat, school.format, options);
        assertEquals(ids.includes(unknown), false, JSON.stringify(lesson));
        assert(ids.length < 50, `${ids.length} tokens`);
      }
    }
  }
  assert(config.vocabSize < 260, `${config.vocabSize} tokens`);
});

Deno.test("a lesson that shows a failed attempt has the ids of a reflective rollout, and trains its reply", async () => {
  const overrides = ["task.environment=countdown", "task.level=0"];
  const environment = environmentOf(Result.getOrThrow(loadConfig({ source: "test", overrides })));
  const lessons = Array.from({ length: 40 }, (_, index) => school.lessons(index, "flawed")).flat()
    .filter(({ shown }) => shown !== undefined);
  assert(lessons.length > 10);
  for (const { task, shown, actions: [reply], ...rest } of lessons) {
    const negatives = new Negatives([{ id: "n", task: task.id, attempt: shown! }]);
    const [{ attempts: [attempt] }] = await Effect.runPromise(
      sampleGroups([{ task, cursor: 0 }], {
        ...{ attempts: 1, temperature: 1, maxTokens: 16, concurrency: 1, seed: 1 },
        reflective: { negatives, template: REFLECTIVE_TEMPLATE, share: () => 1 },
      }).pipe(Effect.provide(recitation(reply)), Effect.provide(environment)),
    );
    assertEquals(attempt.reflective, true);
    const row = lessonRow({ ...rest, task, shown: shown!, actions: [reply] }, chat, school.format, options);
    assertEquals([row.ids, row.weights], [[...attempt.ids], [...attempt.mask]]);
  }
});

/** Says one reply, whatever is asked. */
function recitation(reply: string): Layer.Layer<Policy> {
  const ids = [...chat.encode(reply), [...chat.stopIds][0]];
  return Layer.succeed(Policy, {
    chat,
    contextLength: 512,
    generate: (requests) =>
      Effect.succeed(requests.map(() => ({ ids, logprobs: ids.map(() => -1), stopReason: "stop" as const }))),
    release: () => Effect.void,
    sync: () => Effect.void,
    version: Effect.succeed(0),
    counters: Effect.succeed({ generatedTokens: 0, prefillTokens: 0 }),
  });
}
