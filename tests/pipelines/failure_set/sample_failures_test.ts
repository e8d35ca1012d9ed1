import { assert, assertEquals } from "@std/assert";
import { Effect, Layer } from "effect";
import fc from "fast-check";
import {
  type FailureOptions,
  sampleFailures,
  type Settled,
} from "../../../pipelines/failure_set/sample_failures.ts";
import { scriptedPolicy, spellingWorld } from "../../stages/_scripted.ts";

const options: FailureOptions = {
  temperature: 1,
  maxTokens: 4,
  concurrency: 4,
  seed: 3,
  keep: "all_fail",
  cap: 6,
  chunk: 4,
  batch: 8,
};

/** Task and attempt that a request is for, from the address of its random numbers. */
const placeOf = (seed: string) => seed.split("/").slice(2, 4).map(Number);

/** Task i is won by its attempts `wins[i]` alone. */
function run(wins: readonly (readonly number[])[], change: Partial<FailureOptions> = {}, enough = Infinity) {
  const asked = new Set<string>();
  const policy = scriptedPolicy((context, { seed }) => {
    const [task, attempt] = placeOf(seed);
    asked.add(`${task}/${attempt}`);
    const turn = Number(/#(\d+)\}[^#]*$/.exec(context)![1]);
    const word = ["ab", "abc", "cab"][task % 3];
    return wins[task].includes(attempt) ? word[turn] : "-";
  });
  const settled: Settled[] = [];
  const collect = (outcome: Settled) =>
    Effect.sync(() => {
      settled.push(outcome);
      return settled.length < enough;
    });
  const program = sampleFailures(0, wins.length, { ...options, ...change }, collect);
  return Effect.runPromise(program.pipe(Effect.provide(Layer.mergeAll(policy, spellingWorld()))))
    .then(() => ({ settled, asked }));
}

const shown = (settled: readonly Settled[]) =>
  settled.map((
    { index, sampled, successes, failure },
  ) => [index, sampled, successes, failure?.index ?? null]);

Deno.test("all_fail keeps a task only if no attempt up to the cap wins, and stops at the first success", async () => {
  const { settled, asked } = await run([[0], [], [4], [5]]);
  assertEquals(shown(settled).map(([index, sampled, successes]) => [index, sampled, successes]), [
    [0, 4, 1],
    [1, 6, 0],
    [2, 6, 1],
    [3, 6, 1],
  ]);
  assertEquals(settled.map(({ failure }) => failure !== null), [false, true, false, false]);
  assert(!asked.has("0/4"));
});

Deno.test("any_fail keeps the first failure", async () => {
  const { settled } = await run([[0, 1, 2, 3, 4, 5], [], [0, 1], [0, 1, 2, 3]], { keep: "any_fail" });
  assertEquals(shown(settled), [[0, 6, 6, null], [1, 4, 0, 0], [2, 4, 2, 2], [3, 6, 4, 4]]);
});

Deno.test("what is kept does not depend on batch, chunk or concurrency, and comes in order", async () => {
  const wins = fc.array(fc.uniqueArray(fc.nat({ max: 5 }), { maxLength: 2 }), { minLength: 1, maxLength: 7 });
  const change = fc.record({
    batch: fc.integer({ min: 1, max: 30 }),
    chunk: fc.integer({ min: 1, max: 6 }),
    concurrency: fc.integer({ min: 1, max: 5 }),
  });
  const keep = fc.constantFrom<"all_fail" | "any_fail">("all_fail", "any_fail");
  await fc.assert(
    fc.asyncProperty(wins, change, keep, async (wins, change, keep) => {
      const one = await run(wins, { keep });
      const other = await run(wins, { keep, ...change });
      assertEquals(other.settled.map(({ index }) => index), wins.map((_, i) => i));
      assertEquals(other.settled.map(({ failure }) => failure), one.settled.map(({ failure }) => failure));
    }),
    { numRuns: 25 },
  );
});

Deno.test("it ends when it is enough", async () => {
  const { settled } = await run([[], [0], [], [], []], {}, 3);
  assertEquals(settled.map(({ index }) => index), [0, 1, 2]);
});

Deno.test("which of many failures is kept is drawn by the seed", async () => {
  const picks = async (seed: number) =>
    shown((await run([[], [], [], []], { seed })).settled).map(([, , , i]) => i);
  assertEquals(await picks(3), await picks(3));
  const all = new Set((await Promise.all([1, 2, 3, 4].map(picks))).flat());
  assert(all.size > 2, [...all].join());
});
