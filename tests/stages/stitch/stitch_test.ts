import { assert, assertEquals } from "@std/assert";
import { Effect } from "effect";
import fc from "fast-check";
import { diagnoseGroups } from "../../../stages/diagnose/diagnose_groups.ts";
import type { Stitched } from "../../../stages/record.ts";
import { sampleGroups } from "../../../stages/sample/sample_groups.ts";
import { stitchGroups, type StitchOptions } from "../../../stages/stitch/stitch_groups.ts";
import {
  characterChat,
  reportText,
  scriptedPolicy,
  spellingTask,
  spellingWorld,
  type WorldFaults,
} from "../_scripted.ts";

const play = { temperature: 1, maxTokens: 12, concurrency: 2 };
const options: StitchOptions = { ...play, trigger: "report", guidance: "suggestion" };

interface Script {
  readonly report: string;
  readonly faults?: WorldFaults;
  readonly change?: Partial<StitchOptions>;
  readonly guided?: (letter: string) => string;
}

/** Base attempts say "a", then "x" for ever; under guidance the word is spelt. */
async function run({ report, faults, change, guided = (letter) => letter }: Script) {
  const policy = scriptedPolicy((context) => {
    if (context.endsWith("Reflect:\u0001")) return report;
    const last = context.slice(context.lastIndexOf("{see ") + 5);
    const spelt = /^\w*/.exec(last)![0].replace("nothing", "");
    if (context.includes("|")) return guided("abc"[spelt.length]);
    return spelt === "" ? "a" : "x";
  });
  const [group] = await Effect.runPromise(
    Effect.gen(function* () {
      const at = [{ task: spellingTask("abc"), cursor: 3 }];
      const sampled = yield* sampleGroups(at, { ...play, attempts: 1, seed: 1 });
      const reflect = { reflection: true, temperature: 1, maxTokens: 400, instruction: "Reflect:" };
      return yield* stitchGroups(yield* diagnoseGroups(sampled, reflect), { ...options, ...change });
    }).pipe(Effect.provide(policy), Effect.provide(spellingWorld(faults))),
  );
  return { group, asked: policy.asked.requests };
}

const failure = (pivot: number) => reportText("failure", "say b", pivot);
const text = (ids: readonly number[]) => characterChat.decode(ids);

Deno.test("a retry branches off at the pivot and is guided there only", async () => {
  const { group } = await run({ report: failure(1) });
  const [retry] = group.retries;
  assertEquals([retry.base, retry.pivot, retry.guidance, retry.diverged], [0, 1, "say b", false]);
  assertEquals(retry.guided.won, true);
  assertEquals(retry.guided.turns.map((t) => t.action), ["a", "b", "c"]);
  assertEquals(text(retry.guided.ids).match(/say b/g)?.length, 1);
});

Deno.test("the distilled view has the same prefix ids, no guidance, and the suffix as generated", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 5 }), async (pivot) => {
      const { group } = await run({ report: failure(pivot) });
      const [{ guided, distilled, prefixLength }] = group.retries;
      const [base] = group.attempts;
      assertEquals(prefixLength, base.turns[pivot].context);
      assertEquals(distilled.ids.slice(0, prefixLength), base.ids.slice(0, prefixLength));
      assertEquals(guided.ids.slice(0, prefixLength), base.ids.slice(0, prefixLength));
      assert(!text(distilled.ids).includes("say b"));
      assertEquals(text(distilled.ids), text(guided.ids).replace("|say b", ""));
      assertEquals(distilled.mask.length, distilled.ids.length);
      assertEquals(distilled.logprobs.length, distilled.ids.length);
      // What the policy sampled is the same in both views, turn by turn.
      distilled.turns.forEach((turn, k) => {
        const same = guided.turns[k];
        assertEquals(distilled.ids.slice(turn.start, turn.end), guided.ids.slice(same.start, same.end));
        assertEquals(distilled.mask.slice(turn.start, turn.end).every((m) => m === 1), true);
      });
      // The guided view trains its own tokens alone.
      assertEquals(guided.mask.slice(0, prefixLength).some((m) => m === 1), false);
    }),
    { numRuns: 12 },
  );
});

Deno.test("the retry starts from its base's cache and has random numbers of its own", async () => {
  const { group, asked } = await run({ report: failure(2) });
  const first = asked.flat().find((request) => request.parent !== undefined)!;
  assertEquals(first.parent, group.attempts[0].session);
  assertEquals(first.seed, "1/3/0/retry/0/2");
});

Deno.test("what does not ask for a retry gets none", async () => {
  const count = async (script: Script) => (await run(script)).group.retries.length;
  assertEquals(await count({ report: reportText("success", null, null) }), 0);
  assertEquals(await count({ report: reportText("success", "hm", 1) }), 0);
  assertEquals(await count({ report: reportText("success", "hm", 1), change: { trigger: "always" } }), 1);
  assertEquals(await count({ report: "no report" }), 0);
  assertEquals(await count({ report: failure(9) }), 0);
});

Deno.test("an environment that remembers otherwise is reported, one that breaks gives no verdict", async () => {
  const forgot = await run({ report: failure(1), faults: { forgets: true }, guided: () => "b" });
  assertEquals(forgot.group.retries.map((r) => r.diverged), [true]);
  const broke = await run({ report: failure(1), faults: { breaksOn: "c" } });
  assertEquals(broke.group.retries.map((r) => r.guided.reward), [null]);
});

Deno.test("a retry whose prefix cannot be replayed starts from the first turn, guided there", async () => {
  const { group } = await run({ report: failure(2), faults: { divergesAt: 1 } });
  const [retry] = group.retries;
  assertEquals([retry.pivot, retry.prefixLength, retry.diverged], [0, 0, true]);
  assertEquals(retry.guided.turns.map((t) => t.action), ["a", "b", "c"]);
  assert(text(retry.guided.ids).startsWith("{see nothing|say b#0}"));
  assert(text(retry.distilled.ids).startsWith("{see nothing#0}"));
  const first = await run({ report: failure(2), faults: { divergesAt: 0 } });
  assertEquals(first.group.retries, []);
});

Deno.test("the reward of a retry counts its prefix too", async () => {
  const { group } = await run({ report: failure(1) });
  const [retry]: Stitched["retries"] = group.retries;
  assertEquals([group.attempts[0].reward, retry.guided.reward, retry.distilled.reward], [0, 1, 1]);
});

Deno.test("with full context a retry sees the failed attempt, the reflection and the question again", async () => {
  const { group, asked } = await run({
    report: failure(3),
    change: { from: "start", context: "full" },
    guided: () => "",
  });
  const [base] = group.attempts;
  const [{ guided, distilled, pivot, prefixLength }] = group.retries;
  assertEquals([pivot, prefixLength, guided.turns[0].context], [0, 0, 0]);
  const [first] = asked.find((round) => round[0].session.endsWith("/retry0"))!;
  const reflected = base.diagnosis.tokens.ids;
  assertEquals(first.ids.slice(0, reflected.length), reflected);
  assertEquals(text(first.ids.slice(reflected.length)), "{see nothing#0}\u0001");
  assertEquals(first.parent, base.session);
  // Nothing but the retry's own replies is the policy's.
  assertEquals(guided.mask.slice(0, guided.turns[0].start).includes(1), false);
  // What is distilled begins like a first attempt.
  assert(text(distilled.ids).startsWith("{see nothing#0}\u0001"));
  assertEquals(distilled.ids.slice(distilled.turns[0].start), guided.ids.slice(guided.turns[0].start));
});
