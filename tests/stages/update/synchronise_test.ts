import { assertEquals } from "@std/assert";
import { Effect, Layer, Stream } from "effect";
import { Policy } from "../../../stages/policy/policy.ts";
import type { StepReport } from "../../../stages/record.ts";
import { synchronise } from "../../../stages/update/synchronise.ts";
import { BigramEngine } from "./_bigram_engine.ts";

Deno.test("every interval-th step hands the engine's weights to the policy as that version", async () => {
  const engine = new BigramEngine(4);
  const synced: [number, number][] = [];
  const unused = () => Effect.die("not asked for here");
  const policy = Layer.succeed(Policy, {
    chat: {} as never,
    contextLength: 8,
    generate: unused,
    release: unused,
    sync: (weights, version) => Effect.sync(() => void synced.push([version, weights.get("table")!.data[0]])),
    version: Effect.succeed(0),
    counters: Effect.succeed({ generatedTokens: 0, prefillTokens: 0 }),
  });
  const reports = [1, 2, 3, 4].map((step): StepReport => ({ step, cursor: step, groups: [], metrics: {} }));
  const out = await Stream.fromIterable(reports).pipe(
    Stream.tap(({ step }) => Effect.sync(() => void (engine.logits[0] = step))),
    synchronise(2),
    Stream.runCollect,
    Effect.provide(Layer.merge(engine.layer, policy)),
    Effect.runPromise,
  );
  assertEquals(out, reports);
  assertEquals(synced, [[2, 2], [4, 4]]);
});
