import { assertEquals } from "@std/assert";
import { Effect } from "effect";
import type { DiagnoseOptions } from "../../../stages/diagnose/diagnose_attempts.ts";
import { diagnoseGroups } from "../../../stages/diagnose/diagnose_groups.ts";
import { sampleGroups } from "../../../stages/sample/sample_groups.ts";
import {
  characterChat,
  reportText,
  scriptedPolicy,
  spellingTask,
  spellingWorld,
  type WorldFaults,
} from "../_scripted.ts";

const options: DiagnoseOptions = {
  reflection: true,
  temperature: 0.7,
  maxTokens: 400,
  instruction: "Reflect:",
};

function run(
  reflect: (context: string) => string | null,
  change: Partial<DiagnoseOptions> = {},
  faults?: WorldFaults,
) {
  const policy = scriptedPolicy((context) => (context.includes("Reflect:") ? reflect(context) : "x"));
  const play = { temperature: 1, maxTokens: 4, concurrency: 1, attempts: 1, seed: 1 };
  const groups = Effect.gen(function* () {
    const sampled = yield* sampleGroups([{ task: spellingTask("ab"), cursor: 0 }], play);
    return yield* diagnoseGroups(sampled, { ...options, ...change });
  });
  const provided = groups.pipe(Effect.provide(policy), Effect.provide(spellingWorld(faults)));
  return Effect.runPromise(provided).then(([group]) => ({
    attempt: group.attempts[0],
    asked: policy.asked.requests,
  }));
}

Deno.test("a report continues the attempt's own tokens, and only the reply is the policy's", async () => {
  const text = reportText("failure", "spell a", 0);
  const { attempt, asked } = await run(() => text);
  const { tokens, report, invalid } = attempt.diagnosis;
  assertEquals([report?.retry_from_step, invalid], [0, undefined]);
  assertEquals(tokens.ids.slice(0, attempt.ids.length), attempt.ids);
  const reply = tokens.ids.filter((_, t) => tokens.mask[t] === 1);
  assertEquals(characterChat.decode(reply), text + "\u0002");
  assertEquals(tokens.mask.length, tokens.ids.length);
  assertEquals(tokens.logprobs.map((p) => (p === 0 ? 0 : 1)), [...tokens.mask]);
  const request = asked.at(-1)![0];
  assertEquals([request.session, request.temperature, request.seed], [
    attempt.session,
    0.7,
    `${attempt.session}/reflect`,
  ]);
  assertEquals(
    characterChat.decode(request.ids).endsWith("see nothing\nFailure: spelt .\nReflect:\u0001"),
    true,
  );
});

Deno.test("a reply that is no report keeps its reason", async () => {
  assertEquals((await run(() => "I failed")).attempt.diagnosis.invalid, "no_json");
  assertEquals((await run(() => null)).attempt.diagnosis.invalid, "truncated");
  assertEquals((await run(() => reportText("failure", "a", 6))).attempt.diagnosis.invalid, "bad_pivot");
});

Deno.test("nobody is asked when reflection is off or the environment failed", async () => {
  const off = await run(() => "", { reflection: false });
  assertEquals(off.attempt.diagnosis.invalid, "not_asked");
  assertEquals(off.asked.at(-1)!.length, 0);
  const failed = await run(() => reportText("failure", "a", 0), {}, { breaksOn: "x" });
  assertEquals(failed.attempt.diagnosis.invalid, "not_asked");
});

Deno.test("in plain words every reply is advice from the first turn; a cut one is marked, an empty one none", async () => {
  const form = { form: "text" } as const;
  const { attempt: { diagnosis } } = await run(() => " spell {a} first ", form);
  assertEquals([diagnosis.report?.improvement_suggestion, diagnosis.report?.retry_from_step], [
    "spell {a} first",
    0,
  ]);
  assertEquals([diagnosis.report?.trajectory_outcome, diagnosis.invalid], ["failure", undefined]);
  const { attempt: cut } = await run(() => null, { ...form, maxTokens: 5 });
  assertEquals([cut.diagnosis.report?.improvement_suggestion, cut.diagnosis.invalid], ["xxxxx", "truncated"]);
  const { attempt: empty } = await run(() => "  ", form);
  assertEquals([empty.diagnosis.report, empty.diagnosis.invalid], [null, "bad_suggestion"]);
});
