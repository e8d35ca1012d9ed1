import { assertEquals } from "@std/assert";
import { Effect, Stream } from "effect";
import fixture from "../../../fixtures/stages/update.json" with { type: "json" };
import type { Amplified } from "../../../stages/record.ts";
import { update } from "../../../stages/update/update.ts";
import { assertJson } from "../_fixture.ts";
import { BigramEngine } from "./_bigram_engine.ts";

Deno.test("update asks the engine to accumulate what the fixture says", async () => {
  const engine = new BigramEngine(16);
  const group = { attempts: [], retries: [], flat: false, ...fixture.input } as unknown as Amplified;
  const adamw = { beta1: 0.9, beta2: 0.98, eps: 1e-8, weightDecay: 0, clipNorm: 1 };
  await Stream.make(group).pipe(
    update({ ...fixture.options, groups: 1, lr: () => 0.1, adamw }),
    Stream.runDrain,
    Effect.provide(engine.layer),
    Effect.runPromise,
  );
  assertEquals(engine.rows.length, 1);
  assertJson(
    engine.rows[0].map((row) => ({ ids: row.ids, weights: Array.from(row.weights) })),
    fixture.accumulates.map(({ ids, weights }) => ({ ids, weights })),
  );
});
