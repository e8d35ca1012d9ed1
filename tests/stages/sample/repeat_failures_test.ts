import { assertEquals } from "@std/assert";
import { Effect, Layer, Stream } from "effect";
import { diagnose } from "../../../stages/diagnose/diagnose.ts";
import { repeatFailures } from "../../../stages/sample/repeat_failures.ts";
import { sample } from "../../../stages/sample/sample.ts";
import { scoreGroup } from "../../../stages/score/score_group.ts";
import { stitch } from "../../../stages/stitch/stitch.ts";
import { reportText, scriptedPolicy, spellingTask, spellingWorld } from "../_scripted.ts";

const play = { temperature: 1, maxTokens: 400, concurrency: 2, batch: 2 };

/** Spells `ab` wrongly unless it is guided; its second reflection is no report. */
const policy = scriptedPolicy((context, request) => {
  if (context.includes("Reflect:")) {
    return request.session.endsWith("copy1") ? "no report" : reportText("failure", "spell", 3);
  }
  const turn = context.slice(context.lastIndexOf("{"));
  const guided = context.includes("|spell");
  return guided ? (turn.includes("see a") ? "b" : "a") : "x";
});

Deno.test("copies of one failure are reflected on and retried from the first turn; reflections alone are members", async () => {
  const [group] = await Effect.runPromise(
    Stream.make({ task: spellingTask("ab"), cursor: 0 }).pipe(
      sample({ ...play, attempts: 1, seed: 1 }),
      repeatFailures(3),
      diagnose({
        reflection: true,
        temperature: 1,
        maxTokens: 400,
        instruction: "Reflect:",
        successes: false,
        batch: 2,
      }),
      stitch({ ...play, trigger: "always", guidance: "suggestion", from: "start" }),
      Stream.runCollect,
      Effect.provide(Layer.mergeAll(policy, spellingWorld())),
    ),
  );
  assertEquals(group.attempts.map(({ index }) => index), [0, 1, 2]);
  assertEquals(new Set(group.attempts.map(({ session }) => session)).size, 3);
  assertEquals(group.retries.map(({ base, pivot, prefixLength }) => [base, pivot, prefixLength]), [
    [0, 0, 0],
    [2, 0, 0],
  ]);
  const { members, auxiliary } = scoreGroup(group, { members: "reflections" });
  assertEquals(members.map(({ kind, reward }) => [kind, reward]), [
    ["reflection", 1],
    ["reflection", 0],
    ["reflection", 1],
  ]);
  assertEquals(auxiliary, []);
  members.forEach((member, i) => assertEquals(member.ids, group.attempts[i].diagnosis.tokens.ids));
});
