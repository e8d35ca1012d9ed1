import { Effect, Stream } from "effect";
import fixture from "../../../fixtures/stages/mask.json" with { type: "json" };
import type { Scored } from "../../../stages/record.ts";
import { mask } from "../../../stages/mask/mask.ts";
import { added, assertJson } from "../_fixture.ts";

Deno.test("mask turns its fixture's input into what the fixture says it adds, and keeps the rest", async () => {
  const input = fixture.input as unknown as Scored;
  const [output] = await Effect.runPromise(Stream.make(input).pipe(mask(fixture.options), Stream.runCollect));
  assertJson(added(input, output), fixture.adds);
});
