import { assertEquals, assertMatch } from "@std/assert";
import { Effect, Layer } from "effect";
import type { NegativeLimits } from "../../../pipelines/negatives/check_negative.ts";
import { readNegatives } from "../../../pipelines/negatives/read_negatives.ts";
import { scriptedPolicy, spellingWorld } from "../../stages/_scripted.ts";

// Tasks of the spelling world by index: spell/ab, spell/abc, spell/cab.
const good = { id: "1", task: "spell/ab", index: 0, replies: ["b", "b"], attempt: "> b\nsee nothing" };
const limits: NegativeLimits = { template: "{problem}{attempt}", maxPrompt: 60, verify: true };

async function read(lines: readonly unknown[], change: Partial<NegativeLimits> = {}, badRows = 0) {
  const path = await Deno.makeTempFile();
  const text = lines.map((line) => typeof line === "string" ? line : JSON.stringify(line)).join("\n");
  await Deno.writeTextFile(path, text);
  const services = Layer.mergeAll(spellingWorld(), scriptedPolicy(() => null));
  return Effect.runPromise(
    readNegatives(path, { ...limits, ...change }, badRows).pipe(
      Effect.match({
        onSuccess: (negatives) => ({ negatives, faults: [] as string[] }),
        onFailure: ({ message }) => ({
          negatives: undefined,
          faults: message.replace(path, "FILE").split(/: (?=row)|; /),
        }),
      }),
      Effect.provide(services),
    ),
  );
}

Deno.test("rows are read, and a task finds its attempts", async () => {
  const second = { id: "2", task: "spell/cab", index: 2, replies: ["x"] };
  const { negatives } = await read([good, second]);
  assertEquals(negatives!.tasks, 2);
  assertEquals(negatives!.of("spell/ab", "")!.attempt, "> b\nsee nothing");
  assertEquals(negatives!.of("spell/cab", "")!.attempt, "x");
});

Deno.test("right attempts, repeated ids and long rows are told row by row with their field", async () => {
  const { faults } = await read([
    good,
    { ...good, id: "2", replies: ["a", "b"] },
    { ...good, replies: ["b"] },
    { ...good, id: "4", attempt: "x".repeat(60) },
    { ...good, id: "5", task: "spell/abc" },
    { ...good, id: "6", replies: "b" },
    { ...good, id: "7", replies: [], attempt: undefined },
    "{",
    { ...good, id: "9", index: -0.5 },
  ]);
  assertEquals(faults.slice(0, 1), [
    "FILE: 8 of 9 rows are malformed, at most a share of 0 may be",
  ]);
  assertEquals(faults.slice(1, 7), [
    "row 2, field replies: the attempt is right, expected a failure",
    'row 3, field id: "1" is the id of row 1 too',
    "row 4, field attempt: a prompt with it has 84 tokens, at most 60 may be",
    'row 5, field task: task 0 of split train is spell/ab, got "spell/abc"',
    'row 6, field replies: expected a list of texts, got "b"',
    "row 7, field replies: expected at least one reply, got []",
  ]);
  assertMatch(faults[7], /^row 8, field \(row\): not JSON/);
  assertEquals(faults[8], "row 9, field index: expected a whole number, got -0.5");
});

Deno.test("a stated share of bad rows may be left out; all rows may not", async () => {
  const right = { ...good, id: "2", replies: ["a", "b"] };
  const { negatives } = await read([good, right], {}, 0.5);
  assertEquals(negatives!.tasks, 1);
  assertEquals((await read([right], {}, 0.99)).faults.length, 2);
});

Deno.test("replies are replayed only if they are to be verified", async () => {
  assertEquals((await read([{ ...good, replies: ["a", "b"] }], { verify: false })).faults, []);
});
