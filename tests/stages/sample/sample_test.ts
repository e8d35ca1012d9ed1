import { assert, assertEquals } from "@std/assert";
import { Effect, Layer, Stream } from "effect";
import fc from "fast-check";
import { Environment, type PromptFormat } from "../../../envs/env.ts";
import { environmentLayer } from "../../../envs/environment_layer.ts";
import { Question } from "../../../envs/question/question.ts";
import { EnvError } from "../../../stages/errors.ts";
import type { Attempt, Sampled } from "../../../stages/record.ts";
import { sample } from "../../../stages/sample/sample.ts";
import { sampleGroups, type SampleOptions } from "../../../stages/sample/sample_groups.ts";
import {
  END,
  scriptedPolicy,
  spellingFormat,
  spellingTask,
  spellingWorld,
  type WorldFaults,
} from "../_scripted.ts";

const options: SampleOptions = { temperature: 1, maxTokens: 8, concurrency: 4, attempts: 2, seed: 5 };
const tasks = ["ab", "abc"].map((word, cursor) => ({ task: spellingTask(word), cursor }));

/** Spells a, b, c, … by turn, so that "ab" is won in two turns and "abc" in three. */
const byTurn = (context: string) => "abcdef"[Number(/#(\d+)\}[^#]*$/.exec(context)![1])];

function run(
  policy: ReturnType<typeof scriptedPolicy>,
  faults: WorldFaults = {},
  change: Partial<SampleOptions> = {},
): Promise<readonly Sampled[]> {
  return Effect.runPromise(
    sampleGroups(tasks, { ...options, ...change }).pipe(
      Effect.provide(policy),
      Effect.provide(spellingWorld(faults)),
    ),
  );
}

Deno.test("sample plays every attempt to its end and keeps what each turn was", async () => {
  const groups = await run(scriptedPolicy(byTurn));
  assertEquals(groups.map((g) => g.attempts.map((a) => [a.won, a.reward, a.turns.length])), [
    [[true, 1, 2], [true, 1, 2]],
    [[true, 1, 3], [true, 1, 3]],
  ]);
  const [first] = groups[0].attempts;
  assertEquals(first.turns.map((t) => t.action), ["a", "b"]);
  assertEquals(first.turns.map((t) => t.observation), ["see a", "see ab"]);
  assertEquals(first.feedback, "Success.");
  assertEquals(first.firstObservation, "see nothing");
  assertEquals(first.version, 7);
  assertEquals(first.snapshots.length, 2);
});

Deno.test("only sampled ids have mask 1, and turns point at them", async () => {
  const groups = await run(scriptedPolicy((context) => byTurn(context) + "  "));
  for (const { attempts } of groups) {
    for (const attempt of attempts) {
      const sampled = new Set(attempt.turns.flatMap((t) => range(t.start, t.end)));
      assertEquals(attempt.mask, attempt.ids.map((_, i) => (sampled.has(i) ? 1 : 0)));
      assertEquals(attempt.logprobs, attempt.mask.map((m) => (m === 1 ? -0.5 : 0)));
      assertEquals(attempt.turns[0].context, 0);
      attempt.turns.slice(1).forEach((t, k) => assertEquals(t.context, attempt.turns[k].end));
    }
  }
});

Deno.test("each round's context extends the round before: nothing is encoded twice", async () => {
  const policy = scriptedPolicy(byTurn);
  await run(policy);
  const bySession = new Map<string, readonly number[]>();
  for (const request of policy.asked.requests.flat()) {
    const before = bySession.get(request.session) ?? [];
    assertEquals(request.ids.slice(0, before.length), before);
    bySession.set(request.session, request.ids);
  }
  assertEquals(bySession.size, 4);
});

Deno.test("a reply cut at its limit keeps its ids; its end marker is not trained", async () => {
  const groups = await run(scriptedPolicy(() => null), {}, { maxTokens: 3 });
  const [attempt] = groups[0].attempts;
  assertEquals(attempt.turns[0].stopReason, "length");
  const { end } = attempt.turns[0];
  assertEquals(attempt.ids.slice(attempt.turns[0].start, end), [120, 120, 120]);
  assertEquals([attempt.ids[end], attempt.mask[end]], [END, 0]);
  assert(attempt.truncated && attempt.reward === 0 && !attempt.won);
});

Deno.test("an environment that fails costs its own attempt and nothing else", async () => {
  const groups = await run(scriptedPolicy(byTurn), { breaksOn: "c" });
  assertEquals(groups[0].attempts.map((a) => a.reward), [1, 1]);
  for (const attempt of groups[1].attempts) {
    assertEquals(attempt.reward, null);
    assert(attempt.failure?.includes("broken on purpose"));
    assertEquals(attempt.turns.map((t) => t.action), ["a", "b", "c"]);
  }
  const closed = await run(scriptedPolicy(byTurn), { cannotOpen: "spell/ab" });
  assertEquals(closed[0].attempts.map((a) => [a.reward, a.ids.length]), [[null, 0], [null, 0]]);
  assertEquals(closed[1].attempts.map((a) => a.reward), [1, 1]);
});

Deno.test("a format or a template that cannot serve an attempt costs that attempt and nothing else", async () => {
  const refuse = (text: string) => {
    throw new EnvError({ environment: "spelling", task: "-", operation: "format", reason: text });
  };
  const worlds: readonly Partial<PromptFormat>[] = [
    { user: (turn, k, guidance) => (k === 2 ? refuse("turn") : spellingFormat.user(turn, k, guidance)) },
    { action: (reply) => (reply === "c" ? refuse("action") : spellingFormat.action(reply)) },
  ];
  for (const change of worlds) {
    const world = Layer.effect(
      Environment,
      Effect.map(Environment, (shape) => ({ ...shape, format: { ...spellingFormat, ...change } })),
    ).pipe(Layer.provide(spellingWorld()));
    const groups = await Effect.runPromise(
      sampleGroups(tasks, options).pipe(Effect.provide(scriptedPolicy(byTurn)), Effect.provide(world)),
    );
    assertEquals(groups.map((g) => g.attempts.map((a) => [a.won, a.reward, a.failure !== undefined])), [
      [[true, 1, false], [true, 1, false]],
      [[false, null, true], [false, null, true]],
    ]);
    for (const { ids, mask, logprobs } of groups[1].attempts) {
      assertEquals([mask.length, logprobs.length], [ids.length, ids.length]);
    }
  }
});

Deno.test("an observation that does not fit ends the attempt and keeps the earlier turns", async () => {
  const whole = (await run(scriptedPolicy(byTurn)))[1].attempts[0];
  const contextLength = whole.turns[2].start;
  const groups = await run(scriptedPolicy(byTurn, { contextLength }));
  const [attempt] = groups[1].attempts;
  assert(attempt.truncated && !attempt.won);
  assertEquals(attempt.ids, whole.ids.slice(0, whole.turns[1].end));
  assertEquals(attempt.turns.length, 2);
  assertEquals(attempt.snapshots.length, 2);
});

Deno.test("how many environments step at once changes nothing", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 6, maxLength: 6 }),
      async (delays) => {
        const faults = { delay: (action: string) => delays["abcdef".indexOf(action)] ?? 0 };
        const one = await run(scriptedPolicy(byTurn), faults, { concurrency: 1 });
        const eight = await run(scriptedPolicy(byTurn), faults, { concurrency: 8 });
        assertEquals(eight, one);
      },
    ),
    { numRuns: 5 },
  );
});

Deno.test("random numbers are addressed by task, attempt and turn", async () => {
  const policy = scriptedPolicy(byTurn);
  await run(policy);
  const seeds = policy.asked.requests.flat().map((r) => r.seed);
  assertEquals(new Set(seeds).size, seeds.length);
  assertEquals(seeds.slice(0, 4), ["5/0/0/0", "5/0/1/0", "5/1/0/0", "5/1/1/0"]);
});

Deno.test("the stage emits groups in order and samples a batch only when the one before was used", async () => {
  const policy = scriptedPolicy(byTurn);
  const used: number[] = [];
  await Effect.runPromise(
    Stream.fromIterable([...tasks, ...tasks.map((t) => ({ ...t, cursor: t.cursor + 2 }))]).pipe(
      sample({ ...options, batch: 2 }),
      Stream.runForEach((group) => Effect.sync(() => used.push(group.cursor, policy.asked.requests.length))),
      Effect.provide(policy),
      Effect.provide(spellingWorld()),
    ),
  );
  assertEquals(used, [0, 3, 1, 3, 2, 6, 3, 6]);
});

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}

Deno.test("attempts of equal seeds are equal", async () => {
  const [a, b] = [await run(scriptedPolicy(byTurn)), await run(scriptedPolicy(byTurn))];
  assertEquals(a, b);
  const ids = (attempt: Attempt) => attempt.ids;
  assertEquals(a[0].attempts.map(ids), b[0].attempts.map(ids));
});

Deno.test("an answer that could not be checked has no reward; a wrong one has 0", async () => {
  const environment = environmentLayer({
    name: "quiz",
    make: () =>
      new Question({
        name: "quiz",
        verify: (reply) => ({ ok: false, category: reply, extracted: reply, reason: "" }),
        unparseable: [],
        solution: () => null,
      }),
    tasks: { size: () => 0, task: () => task },
    format: { system: () => "", user: (turn) => turn.observation, action: (reply) => reply },
    timeoutMs: 1000,
  });
  const task = { id: "q", kind: "quiz", payload: { question: "?", gold: "", attempts: 1 } };
  const policy = scriptedPolicy((_, { seed }) => seed.endsWith("/0/0") ? "timeout" : "wrong");
  const [{ attempts: [late, wrong] }] = await Effect.runPromise(
    sampleGroups([{ task, cursor: 0 }], { ...options, attempts: 2 }).pipe(
      Effect.provide(Layer.mergeAll(policy, environment)),
    ),
  );
  assertEquals([late.reward, late.won, late.verdict?.outcome], [null, false, "unchecked"]);
  assertEquals(late.failure, "the answer was not checked (timeout)");
  assertEquals([wrong.reward, wrong.failure, wrong.verdict?.category], [0, undefined, "wrong"]);
});
