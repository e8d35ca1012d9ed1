/**
 * The stages that play, against small groups written down in `fixtures/stages`: a
 * scripted policy spells words in the spelling world of `_scripted.ts`.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { Effect } from "effect";
import fixture from "../../fixtures/stages/played.json" with { type: "json" };
import { diagnoseGroups } from "../../stages/diagnose/diagnose_groups.ts";
import type { Diagnosed, Sampled } from "../../stages/record.ts";
import { sampleGroups } from "../../stages/sample/sample_groups.ts";
import { stitchGroups } from "../../stages/stitch/stitch_groups.ts";
import { assertJson } from "./_fixture.ts";
import { reportText, scriptedPolicy, spellingTask, spellingWorld } from "./_scripted.ts";

const play = { temperature: 1, maxTokens: 12, concurrency: 1 };

/** Says "a" and then "x" for ever, blames turn 1, and under guidance spells on. */
const policy = scriptedPolicy((context) => {
  if (context.endsWith("Reflect:\u0001")) return reportText("failure", "say b", 1);
  const last = context.slice(context.lastIndexOf("{see ") + 5);
  const spelt = /^\w*/.exec(last)![0].replace("nothing", "");
  if (context.includes("|")) return "ab"[spelt.length];
  return spelt === "" ? "a" : "x";
});

const run = <A, E>(effect: Effect.Effect<A, E, never>) => Effect.runPromise(effect);

Deno.test("sample: the fixture's task becomes the fixture's group", async () => {
  const tasks = [{ task: spellingTask("ab"), cursor: 4 }];
  const [group] = await run(
    sampleGroups(tasks, { ...play, attempts: 1, seed: 9 }).pipe(
      Effect.provide(policy),
      Effect.provide(spellingWorld()),
    ),
  );
  assertJson(group, fixture.sampled);
  assertEquals(group.attempts.length, 1);
});

Deno.test("diagnose: the fixture's group gets the fixture's report", async () => {
  const options = { reflection: true, temperature: 1, maxTokens: 400, instruction: "Reflect:" };
  const [group] = await run(
    diagnoseGroups([fixture.sampled as unknown as Sampled], options).pipe(Effect.provide(policy)),
  );
  assertJson(group, fixture.diagnosed);
});

Deno.test("stitch: the fixture's diagnosed group gets the fixture's retry", async () => {
  const options = { ...play, trigger: "report", guidance: "suggestion" } as const;
  const [group] = await run(
    stitchGroups([fixture.diagnosed as unknown as Diagnosed], options).pipe(
      Effect.provide(policy),
      Effect.provide(spellingWorld()),
    ),
  );
  assertJson(group.retries, fixture.retries);
});
