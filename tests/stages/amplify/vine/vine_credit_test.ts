import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { Effect, Stream } from "effect";
import fc from "fast-check";
import { amplifyGroup } from "../../../../stages/amplify/amplify_group.ts";
import { stateValues } from "../../../../stages/amplify/vine/state_values.ts";
import { vineAdvantages } from "../../../../stages/amplify/vine/vine_advantages.ts";
import { vineCredit, type VineOptions } from "../../../../stages/amplify/vine/vine_credit.ts";
import { maskGroup } from "../../../../stages/mask/mask_group.ts";
import type { Amplified, Attempt } from "../../../../stages/record.ts";
import { sampleGroups } from "../../../../stages/sample/sample_groups.ts";
import { scoreGroup } from "../../../../stages/score/score_group.ts";
import { uniformAt } from "../../../../stages/seed.ts";
import { NOT_ASKED } from "../../../../stages/diagnose/not_asked.ts";
import { scriptedPolicy, spellingTask, spellingWorld, type WorldFaults } from "../../_scripted.ts";

const WORD = "ab";
const LIMIT = 6;
const play = { temperature: 1, maxTokens: 12, concurrency: 2 };
const options: VineOptions = { ...play, rollouts: 3, whiten: false, groups: 1 };

/** Says the next letter of the word every other time, by the request's own random number. */
function policy() {
  return scriptedPolicy((context, { seed }) => {
    const spelt = /^\w*/.exec(context.slice(context.lastIndexOf("{see ") + 5))![0].replace("nothing", "");
    return uniformAt(seed, 0) < 0.5 ? WORD[spelt.length] : "x";
  });
}

/** The chance to spell the rest of the word in the turns that are left. */
function chance(spelt: number, turn: number): number {
  if (spelt === WORD.length) return 1;
  if (turn === LIMIT) return 0;
  return (chance(spelt + 1, turn + 1) + chance(spelt, turn + 1)) / 2;
}

const speltBefore = ({ snapshots }: Attempt, turn: number) =>
  (snapshots[turn] as { spelt: string }).spelt.length;

function group(attempts: number, seed = 1) {
  return Effect.map(
    sampleGroups([{ task: spellingTask(WORD), cursor: 0 }], { ...play, attempts, seed }),
    ([sampled]): Amplified => {
      const asked = sampled.attempts.map((attempt) => ({ ...attempt, diagnosis: NOT_ASKED }));
      const scored = scoreGroup({ ...sampled, attempts: asked, retries: [] });
      return amplifyGroup(maskGroup(scored, { credit: "none" }), { amplification: "none" });
    },
  );
}

function credited(change: Partial<VineOptions> = {}, faults: WorldFaults = {}, seed = 1) {
  const scripted = policy();
  const run = Effect.gen(function* () {
    const before = yield* group(6, seed);
    const asked = scripted.asked.requests.length;
    const [after] = yield* Stream.make(before).pipe(vineCredit({ ...options, ...change }), Stream.runCollect);
    return { after, rollouts: scripted.asked.requests.slice(asked).flat() };
  });
  return Effect.runPromise(run.pipe(Effect.provide(scripted), Effect.provide(spellingWorld(faults))));
}

/** The advantage of every turn of a member, read off its tokens. */
const turnsOf = ({ attempts, tokenAdvantages }: Amplified, i: number) =>
  attempts[i].turns.map(({ start }) => tokenAdvantages![i][start]);

Deno.test("values of states are the chances of winning from there", async () => {
  const scripted = policy();
  const { attempts, values } = await Effect.runPromise(
    Effect.gen(function* () {
      const { attempts, ...at } = yield* group(4);
      return { attempts, values: yield* stateValues(at, attempts, { ...play, rollouts: 600 }) };
    }).pipe(Effect.provide(scripted), Effect.provide(spellingWorld())),
  );
  attempts.forEach((attempt, i) => {
    assertEquals(values[i].length, attempt.turns.length);
    values[i].forEach((value, k) => {
      const exact = chance(speltBefore(attempt, k), k);
      // Five standard errors of a mean of 600.
      assertAlmostEquals(value!, exact, 5 * 0.5 / Math.sqrt(600), `attempt ${i}, turn ${k}`);
    });
  });
});

Deno.test("a turn's tokens get the change of value that it made; they sum to reward less first value", async () => {
  const { after } = await credited({ rollouts: 400 });
  let helped = 0;
  let wasted = 0;
  after.attempts.forEach((attempt, i) => {
    const turns = turnsOf(after, i);
    turns.forEach((a, k) => {
      const before = speltBefore(attempt, k);
      const isLast = k === turns.length - 1;
      const now = isLast ? Number(attempt.won) : chance(speltBefore(attempt, k + 1), k + 1);
      assertAlmostEquals(a, now - chance(before, k), 0.15);
      if (attempt.turns[k].action === "x") wasted += a;
      else helped += a;
      const { start, end } = attempt.turns[k];
      assertEquals(after.tokenAdvantages![i].slice(start, end), Array(end - start).fill(a));
    });
    const sum = turns.reduce((a, b) => a + b, 0);
    const reward = after.members[i].reward!;
    assertAlmostEquals(sum, reward - chance(0, 0), 0.13);
    assertAlmostEquals(after.advantages[i], sum / turns.length, 1e-12);
  });
  assert(helped > 0 && wasted < 0);
  // Every attempt begins in the same state, which has one value.
  const firsts = after.attempts.map((_, i) =>
    after.members[i].reward! - turnsOf(after, i).reduce((a, b) => a + b, 0)
  );
  firsts.forEach((v) => assertAlmostEquals(v, firsts[0], 1e-12));
});

Deno.test("a state that attempts share is played from once; sessions are new and start from the attempt's", async () => {
  const { after, rollouts } = await credited();
  const keys = new Set(
    after.attempts.flatMap(({ ids, turns }) => turns.map(({ context }) => ids.slice(0, context).join())),
  );
  const sessions = new Set(rollouts.map(({ session }) => session));
  assertEquals(sessions.size, 3 * keys.size);
  const own = new Set(after.attempts.map(({ session }) => session));
  assert(rollouts.every(({ session, parent }) => !own.has(session) && own.has(parent!)));
});

Deno.test("how many environments step at once changes nothing", async () => {
  const one = await credited({ concurrency: 1 });
  const four = await credited({ concurrency: 4 });
  assertEquals(one.after.tokenAdvantages, four.after.tokenAdvantages);
});

Deno.test("a world that breaks in every rollout leaves the value of the state before", async () => {
  const { after } = await credited({}, { breaksOn: "b" });
  after.tokenAdvantages!.flat().forEach((a) => assert(Number.isFinite(a)));
  after.members.forEach(({ reward }, i) => {
    if (reward === null) assertEquals(after.advantages[i], 0);
  });
});

Deno.test("advantages telescope whatever the values, and missing values take the one before", () => {
  const unit = fc.double({ min: 0, max: 1, noNaN: true });
  const values = fc.array(fc.option(unit), { minLength: 1, maxLength: 8 });
  fc.assert(fc.property(values, unit, unit, (values, reward, fallback) => {
    const turns = vineAdvantages(values, reward, fallback);
    assertEquals(turns.length, values.length);
    assertAlmostEquals(turns.reduce((a, b) => a + b, 0), reward - (values[0] ?? fallback), 1e-12);
    values.forEach((value, k) => value === null && k > 0 && assertAlmostEquals(turns[k - 1], 0, 1e-12));
  }));
  assertEquals(vineAdvantages([0.25, null, 0.5], 1, 0), [0, 0.25, 0.5]);
});

Deno.test("whitened advantages have mean 0 and variance 1 over the trained tokens of a step", async () => {
  const plain = (await credited({}, {}, 2)).after;
  const { after } = await credited({ whiten: true }, {}, 2);
  const trained = (of: Amplified) =>
    of.tokenAdvantages!.flatMap((row, i) => row.filter((_, t) => of.trainMasks[i][t] === 1));
  const white = trained(after);
  const mean = white.reduce((a, b) => a + b, 0) / white.length;
  assertAlmostEquals(mean, 0, 1e-9);
  assertAlmostEquals(white.reduce((sum, a) => sum + (a - mean) ** 2, 0) / (white.length - 1), 1, 1e-5);
  const order = (values: readonly number[]) =>
    values.map((_, i) => i).sort((a, b) => values[a] - values[b] || a - b);
  assertEquals(
    order(white.map((v) => Math.round(v * 1e9))),
    order(trained(plain).map((v) => Math.round(v * 1e9))),
  );
});
