import { Effect, Stream } from "effect";
import fixture from "../../../fixtures/stages/amplify.json" with { type: "json" };
import type { Masked } from "../../../stages/record.ts";
import { amplify } from "../../../stages/amplify/amplify.ts";
import { added, assertJson } from "../_fixture.ts";

Deno.test("amplify turns its fixture's input into what the fixture says it adds, and keeps the rest", async () => {
  const input = fixture.input as unknown as Masked;
  const [output] = await Effect.runPromise(
    Stream.make(input).pipe(amplify(fixture.options), Stream.runCollect),
  );
  assertJson(added(input, output), fixture.adds);
});
