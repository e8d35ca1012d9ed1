import { assert, assertEquals } from "@std/assert";
import { Effect, Layer, Result } from "effect";
import { householdSchool } from "../../../envs/household/demonstrator/household_school.ts";
import { householdFormat } from "../../../envs/household/format.ts";
import { environmentOf } from "../../../pipelines/run/environment_of.ts";
import { lessonRow } from "../../../pipelines/warm_start/lesson_row.ts";
import { makePolicyFiles } from "../../../pipelines/warm_start/make_policy.ts";
import { tinyModel } from "../../../pipelines/warm_start/recipe.ts";
import { loadConfig } from "../../../stages/config/load_config.ts";
import { diagnoseGroups } from "../../../stages/diagnose/diagnose_groups.ts";
import { reportOf } from "../../../stages/diagnose/report_of.ts";
import { Policy } from "../../../stages/policy/policy.ts";
import { sampleGroups } from "../../../stages/sample/sample_groups.ts";
import { stitchGroups } from "../../../stages/stitch/stitch_groups.ts";

const INSTRUCTION = "Reflect:";
const school = householdSchool({ level: 1 });
const { chat } = makePolicyFiles(school, tinyModel, INSTRUCTION);
const environment = environmentOf(Result.getOrThrow(loadConfig({ source: "test" })));

/** Says `replies` by session, in order. */
function recitation(replies: (session: string) => string): Layer.Layer<Policy> {
  return Layer.succeed(Policy, {
    chat,
    contextLength: 512,
    generate: (requests) =>
      Effect.sync(() =>
        requests.map(({ session }) => {
          const ids = [...chat.encode(replies(session)), [...chat.stopIds][0]];
          return { ids, logprobs: ids.map(() => -1), stopReason: "stop" as const };
        })
      ),
    release: () => Effect.void,
    sync: () => Effect.void,
    version: Effect.succeed(0),
    counters: Effect.succeed({ generatedTokens: 0, prefillTokens: 0 }),
  });
}

Deno.test("a lesson's row has the ids that the stages would lay out, and trains what the policy says", async () => {
  let retries = 0;
  for (let index = 0; index < 12; index++) {
    const [base, guided] = school.lessons(index, "flawed");
    const report = JSON.stringify(reportOf(base.diagnosis!));
    const script = [...base.actions, report, ...(guided?.actions.slice(guided.from) ?? [])];
    let said = 0;
    const play = { temperature: 1, maxTokens: 64, concurrency: 1 };
    const [group] = await Effect.runPromise(
      Effect.gen(function* () {
        const sampled = yield* sampleGroups([{ task: base.task, cursor: 0 }], {
          ...play,
          attempts: 1,
          seed: 0,
        });
        const asked = { reflection: true, temperature: 1, maxTokens: 64, instruction: INSTRUCTION };
        const stitch = { ...play, trigger: "report", guidance: "suggestion" } as const;
        return yield* stitchGroups(yield* diagnoseGroups(sampled, asked), stitch);
      }).pipe(Effect.provide(recitation(() => script[said++])), Effect.provide(environment)),
    );
    assertEquals(said, script.length);
    const row = lessonRow(base, chat, householdFormat, { reportWeight: 3, instruction: INSTRUCTION });
    const { diagnosis, mask } = group.attempts[0];
    assertEquals(row.ids, diagnosis.tokens.ids);
    assertEquals(
      row.weights,
      diagnosis.tokens.ids.map((_, t) => (diagnosis.tokens.mask[t] === 1 ? 3 : mask[t] ?? 0)),
    );
    if (guided === undefined) continue;
    retries++;
    const retry = group.retries[0].guided;
    const taught = lessonRow(guided, chat, householdFormat, { reportWeight: 3, instruction: INSTRUCTION });
    assertEquals(taught.ids, retry.ids);
    assertEquals(taught.weights, [...retry.mask]);
  }
  assert(retries > 3);
});

Deno.test("the vocabulary covers the demonstrations of every curriculum", () => {
  for (const curriculum of ["capable", "flawed", "blind"] as const) {
    for (let index = 1000; index < 1040; index++) {
      for (const lesson of school.lessons(index, curriculum)) {
        const { ids } = lessonRow(lesson, chat, householdFormat, {
          reportWeight: 1,
          instruction: INSTRUCTION,
        });
        assert(!ids.includes(chat.encode("\u2603")[0]), `unknown word in task ${index}`);
      }
    }
  }
});
