import { assert, assertEquals } from "@std/assert";
import { Effect } from "effect";
import { diagnoseGroups } from "../../../stages/diagnose/diagnose_groups.ts";
import { maskGroup } from "../../../stages/mask/mask_group.ts";
import { sampleGroups } from "../../../stages/sample/sample_groups.ts";
import { scoreGroup } from "../../../stages/score/score_group.ts";
import { stitchGroups } from "../../../stages/stitch/stitch_groups.ts";
import { characterChat, reportText, scriptedPolicy, spellingTask, spellingWorld } from "../_scripted.ts";

const play = { temperature: 1, maxTokens: 12, concurrency: 2 };
const reflect = { reflection: true, temperature: 1, maxTokens: 400, instruction: "Reflect:" };
const text = (ids: readonly number[]) => characterChat.decode(ids);

/**
 * Base attempts say "a", then "x" for ever. A reflection names the first turn at which a
 * letter is missing; the retry says that letter, then "x" again.
 */
async function run(retries: number, bases: number, attempts = 1) {
  const policy = scriptedPolicy((context) => {
    const spelt = /.*see (\w*)/s.exec(context)![1].replace("nothing", "");
    if (context.endsWith("Reflect:\u0001")) {
      const next = "abc"[spelt.length];
      if (next === undefined) return reportText("success", null, null);
      return reportText("failure", `say ${next}`, spelt.length);
    }
    if (spelt === "") return "a";
    const letter = "abc"[spelt.length];
    return context.includes(`|say ${letter}#`) ? letter : "x";
  });
  const [group] = await Effect.runPromise(
    Effect.gen(function* () {
      const at = [{ task: spellingTask("abc"), cursor: 3 }];
      const sampled = yield* sampleGroups(at, { ...play, attempts, seed: 1 });
      return yield* stitchGroups(yield* diagnoseGroups(sampled, reflect), {
        ...{ ...play, trigger: "report", guidance: "suggestion" },
        ...(retries === 1 ? {} : { chain: { retries, bases, diagnose: reflect } }),
      });
    }).pipe(Effect.provide(policy), Effect.provide(spellingWorld())),
  );
  const reports = policy.asked.requests.flat().filter(({ ids }) => text(ids).endsWith("Reflect:\u0001"));
  return { group, reports };
}

Deno.test("a second retry follows a fresh reflection on the first one, from the pivot that it names", async () => {
  const { group, reports } = await run(2, 1);
  const [first, second] = group.retries;
  assertEquals(group.retries.map((r) => [r.base, r.order, r.parent, r.pivot, r.guidance]), [
    [0, 0, undefined, 1, "say b"],
    [0, 1, 0, 2, "say c"],
  ]);
  assertEquals(first.distilled.turns.map((t) => t.action), ["a", "b", "x", "x", "x", "x"]);
  assertEquals(second.distilled.turns.map((t) => t.action), ["a", "b", "c"]);
  // What was reflected on is the first retry as it trains, without its guidance.
  assertEquals(reports.length, 2);
  assertEquals(reports[1].ids.slice(0, first.distilled.ids.length), first.distilled.ids);
  assertEquals(first.diagnosis?.report?.improvement_suggestion, "say c");
  assertEquals(second.diagnosis, undefined);
});

Deno.test("every retry of a chain shares its prefix with the attempt before it, guidance nowhere", async () => {
  const { group: { retries: [first, second] } } = await run(2, 1);
  assertEquals(second.prefixLength, first.distilled.turns[2].context);
  for (const view of [second.guided, second.distilled]) {
    assertEquals(view.ids.slice(0, second.prefixLength), first.distilled.ids.slice(0, second.prefixLength));
  }
  assert(!text(second.distilled.ids).includes("say"));
  assertEquals(text(second.guided.ids).match(/say/g)?.length, 1);
  assertEquals(new Set([first.guided.session, second.guided.session]).size, 2);
});

Deno.test("a chain ends where a report claims success, and its last retry is not reflected on", async () => {
  const { group, reports } = await run(4, 1);
  assertEquals(group.retries.map((r) => r.distilled.won), [false, true]);
  assertEquals(group.retries[1].diagnosis?.report?.trajectory_outcome, "success");
  assertEquals(reports.length, 3);
  assertEquals((await run(1, 1)).reports.length, 1);
});

Deno.test("of a group's base attempts the first ones that ask are retried, all are reflected on", async () => {
  const { group, reports } = await run(2, 2, 3);
  assertEquals(group.retries.map((r) => [r.base, r.order]), [[0, 0], [1, 0], [0, 1], [1, 1]]);
  assertEquals(reports.length, 3 + 2);
  assertEquals((await run(1, 0, 3)).group.retries.map((r) => r.base), [0, 1, 2]);
});

Deno.test("corrections are verified against the attempt that was retried, masks cut what both share", async () => {
  const { group } = await run(2, 1);
  const scored = scoreGroup(group);
  assertEquals(scored.members.map((m) => [m.kind, m.reward, m.pivot]), [
    ["base", 0, 1],
    ["retry", 0, 1],
    ["retry", 1, 2],
  ]);
  const [first, second] = group.retries;
  // The first retry brought nothing; the second won, after the reflection on the first.
  assertEquals(scored.auxiliary.map((row) => row.task), ["reflect", "retry"]);
  assertEquals(scored.auxiliary[0].ids, first.diagnosis?.tokens.ids);
  assertEquals(scored.auxiliary[1].ids, second.guided.ids);
  const { trainMasks } = maskGroup(scored);
  const from = trainMasks.map((mask) => mask.indexOf(1));
  const starts = [group.attempts[0].turns[1], first.distilled.turns[1], second.distilled.turns[2]];
  assertEquals(from, starts.map(({ start }) => start));
});
