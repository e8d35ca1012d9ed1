import { Effect, Stream } from "effect";
import fixture from "../../../fixtures/stages/score.json" with { type: "json" };
import type { Stitched } from "../../../stages/record.ts";
import { score } from "../../../stages/score/score.ts";
import { added, assertJson } from "../_fixture.ts";

Deno.test("score turns its fixture's input into what the fixture says it adds, and keeps the rest", async () => {
  const input = fixture.input as unknown as Stitched;
  const [output] = await Effect.runPromise(
    Stream.make(input).pipe(score(fixture.options), Stream.runCollect),
  );
  assertJson(added(input, output), fixture.adds);
});
