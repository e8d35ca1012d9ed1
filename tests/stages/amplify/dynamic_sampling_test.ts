import { assertEquals } from "@std/assert";
import { Effect, Stream } from "effect";
import { dynamicSampling, type DynamicSamplingOptions } from "../../../stages/amplify/dynamic_sampling.ts";
import type { Amplified } from "../../../stages/record.ts";
import { rowsGroup } from "../_make_group.ts";

/** Group `cursor` with members that won or not; `rewards` where they differ from that. */
function group(cursor: number, won: readonly boolean[], rewards = won.map(Number)): Amplified {
  const base = rowsGroup({ mask: won.map(() => [0, 1]), advantages: rewards, rewards });
  const members = base.members.map((m, i) => ({ ...m, won: won[i] }));
  return { ...base, cursor, members, flat: new Set(rewards).size < 2 };
}

async function steps(groups: readonly Amplified[], options: Partial<DynamicSamplingOptions> = {}) {
  let pulled = 0;
  const seen: [cursors: number[], pulled: number, sampled: number, until: number][] = [];
  await Effect.runPromise(
    Stream.fromIterable(groups).pipe(
      Stream.rechunk(1),
      Stream.tap(() => Effect.sync(() => pulled++)),
      dynamicSampling({ groups: 2, rounds: 3, ...options }),
      Stream.grouped(2),
      Stream.runForEach((step) =>
        Effect.sync(() => {
          const { groups, until } = step[0].drawn ?? { groups: 0, until: 0 };
          seen.push([step.map((g) => g.cursor), pulled, groups, until]);
        })
      ),
    ),
  );
  return seen;
}

const useful = (cursor: number) => group(cursor, [true, false]);
const solved = (cursor: number) => group(cursor, [true, true]);
const hopeless = (cursor: number) => group(cursor, [false, false]);

Deno.test("rounds go on until enough groups teach; the surplus is dropped and counted", async () => {
  const groups = [useful(0), solved(1), hopeless(2), hopeless(3), useful(4), useful(5), useful(6), useful(7)];
  assertEquals(await steps(groups), [[[0, 4], 6, 6, 6], [[6, 7], 8, 2, 8]]);
});

Deno.test("after the last round the step is filled with groups that teach nothing", async () => {
  const groups = [solved(0), hopeless(1), useful(2), solved(3), solved(4), solved(5), useful(6), useful(7)];
  assertEquals(await steps(groups), [[[0, 2], 6, 6, 6], [[6, 7], 8, 2, 8]]);
});

Deno.test("one round changes nothing but what is counted", async () => {
  assertEquals(await steps([solved(0), useful(1)], { rounds: 1 }), [[[0, 1], 2, 2, 2]]);
});

Deno.test("a group of equal success teaches nothing, even if a penalty makes its rewards differ", async () => {
  const penalised = group(0, [true, true], [1, 0.5]);
  const groups = [penalised, penalised, useful(2), useful(3)];
  assertEquals((await steps(groups)).map(([cursors]) => cursors), [[2, 3]]);
  assertEquals((await steps(groups, { by: "reward" })).map(([cursors]) => cursors), [[0, 0], [2, 3]]);
});
