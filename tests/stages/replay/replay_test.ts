import { assert, assertEquals } from "@std/assert";
import { Effect, Stream } from "effect";
import fc from "fast-check";
import type { Amplified } from "../../../stages/record.ts";
import { replay, type ReplayStart } from "../../../stages/replay/replay.ts";
import {
  chosenAt,
  priority,
  type ReplayOptions,
  type ReplayState,
} from "../../../stages/replay/replay_buffer.ts";
import { update } from "../../../stages/update/update.ts";
import { diagnosed, rowsGroup } from "../_make_group.ts";
import { BigramEngine } from "../update/_bigram_engine.ts";

const options: ReplayOptions = {
  groups: 2,
  stepsPerSample: 3,
  maxUses: 3,
  usePenalty: 2,
  cooldown: 0,
  capacity: 64,
};

/** The group of task `cursor`, sampled by policy `version`. */
function group(cursor: number, version: number): Amplified {
  const rows = rowsGroup({ mask: [[0, 1], [0, 1]], advantages: [1, -1] });
  const ids = rows.members.map((member) => ({ ...member, ids: [1, 2 + cursor % 2] }));
  return { ...rows, members: ids, cursor, attempts: [diagnosed({ turns: [["go", 1]], version })] };
}

interface Step {
  readonly cursors: readonly number[];
  readonly until: number | undefined;
  readonly state: ReplayState | undefined;
}

/** The steps that `samplings` samplings lead to, each by a policy one version newer. */
async function steps(samplings: number, given: ReplayOptions & ReplayStart, from = 0): Promise<Step[]> {
  const fresh = Array.from({ length: samplings * given.groups }, (_, k) => {
    const cursor = from + k;
    return group(cursor, Math.floor(cursor / given.groups));
  });
  const out = await Effect.runPromise(
    Stream.fromIterable(fresh).pipe(replay(given), Stream.runCollect),
  );
  return Array.from({ length: out.length / given.groups }, (_, s) => {
    const step = out.slice(s * given.groups, (s + 1) * given.groups);
    return {
      cursors: step.map(({ cursor }) => cursor),
      until: step[0].drawn?.until,
      state: step.at(-1)!.replay,
    };
  });
}

const cursors = async (...given: Parameters<typeof steps>) =>
  (await steps(...given)).map((step) => step.cursors.join());

Deno.test("one step a sampling, or one use a group, is no replay", async () => {
  for (const off of [{ stepsPerSample: 1 }, { maxUses: 1 }]) {
    assertEquals(await cursors(3, { ...options, ...off }), ["0,1", "2,3", "4,5"]);
  }
});

Deno.test("without a rest the newest groups train until they are used up", async () => {
  assertEquals(await cursors(2, options), ["0,1", "0,1", "0,1", "2,3", "2,3", "2,3"]);
});

Deno.test("a use lowers the priority by the penalty; equals go in the order of their tasks", () => {
  const entry = (cursor: number, version: number, uses: number) => ({
    group: group(cursor, version),
    uses,
    lastStep: 0,
  });
  const entries = [entry(5, 3, 2), entry(4, 3, 2), entry(0, 0, 1), entry(2, 1, 1), entry(9, 9, 3)];
  const chosen = (usePenalty: number) =>
    chosenAt(7, entries, { ...options, usePenalty }).map(({ group }) => group.cursor);
  assertEquals(priority(entries[0], 2), -1);
  assertEquals(chosen(0), [4, 5]);
  assertEquals(chosen(2), [2, 4]);
  assertEquals(chosen(4), [2, 0]);
  assertEquals(chosenAt(7, entries, { ...options, groups: 5 }), []);
});

Deno.test("resting groups wait; a step that cannot be filled is left out for the next sampling", async () => {
  const resting = { ...options, stepsPerSample: 2, cooldown: 1 };
  assertEquals(await cursors(4, resting), ["0,1", "2,3", "0,1", "4,5", "2,3", "6,7", "4,5"]);
});

const anyOptions = fc.record({
  groups: fc.integer({ min: 1, max: 3 }),
  stepsPerSample: fc.integer({ min: 2, max: 4 }),
  maxUses: fc.integer({ min: 2, max: 4 }),
  usePenalty: fc.integer({ min: 0, max: 3 }),
  cooldown: fc.integer({ min: 0, max: 3 }),
  capacity: fc.integer({ min: 1, max: 12 }),
});

Deno.test("uses, rests, capacity and step sizes are kept; fresh groups come in order and none is lost", async () => {
  await fc.assert(
    fc.asyncProperty(anyOptions, async (given) => {
      const made = await steps(5, given);
      const usedAt = new Map<number, number[]>();
      made.forEach(({ cursors, state }, s) => {
        assertEquals(new Set(cursors).size, given.groups);
        cursors.forEach((cursor) => usedAt.set(cursor, [...usedAt.get(cursor) ?? [], s]));
        assert(state!.entries.length <= given.capacity && state!.replayed < given.stepsPerSample);
      });
      assertEquals([...usedAt.keys()], Array.from({ length: 5 * given.groups }, (_, k) => k));
      for (const uses of usedAt.values()) {
        assert(uses.length <= given.maxUses);
        uses.slice(1).forEach((step, k) => assert(step - uses[k] > given.cooldown));
      }
    }),
    { numRuns: 60 },
  );
});

Deno.test("a run that resumes after any step goes on as if it had not stopped", async () => {
  await fc.assert(
    fc.asyncProperty(anyOptions, fc.nat(), async (given, pick) => {
      const straight = await steps(4, given);
      const at = pick % straight.length;
      const state: ReplayState = JSON.parse(JSON.stringify(straight[at].state));
      const until = state.until;
      const rest = await steps(4 - until / given.groups, { ...given, firstStep: at + 2, state }, until);
      assertEquals(rest.map((step) => step.cursors), straight.slice(at + 1).map((step) => step.cursors));
      const states = (steps: readonly Step[]) => JSON.stringify(steps.map(({ state }) => state));
      assertEquals(states(rest), states(straight.slice(at + 1)));
    }),
    { numRuns: 60 },
  );
});

Deno.test("update reports where tasks go on and how old the policy is; no task is drawn before its turn", async () => {
  const engine = new BigramEngine(8);
  const events: string[] = [];
  const reports = await Stream.fromIterable([0, 1, 2, 3]).pipe(
    Stream.mapEffect((cursor) =>
      Effect.sync(() => {
        events.push(`${cursor}:${engine.steps.length}`);
        return group(cursor, engine.steps.length);
      })
    ),
    replay({ ...options, stepsPerSample: 2 }),
    update({
      groups: 2,
      lr: () => 0.1,
      adamw: { beta1: 0.9, beta2: 0.98, eps: 1e-8, weightDecay: 0, clipNorm: 1 },
    }),
    Stream.runCollect,
    Effect.provide(engine.layer),
    Effect.runPromise,
  );
  assertEquals(events, ["0:0", "1:0", "2:2", "3:2"]);
  assertEquals(reports.map(({ cursor }) => cursor), [2, 2, 4, 4]);
  const age = "training/off_policy/trajectory_staleness/max";
  assertEquals(reports.map(({ metrics }) => metrics[age]), [0, 1, 0, 1]);
  assertEquals(reports.map(({ replay }) => replay?.replayed), [0, 1, 0, 1]);
});
