import { assertEquals } from "@std/assert";
import { Effect, Result } from "effect";
import { loadRunConfig } from "../../../pipelines/run/load_run_config.ts";
import { policyLayer } from "../../../pipelines/run/run_layers.ts";
import { Policy } from "../../../stages/policy/policy.ts";

Deno.test("sequences end at policy.context, or where the model has no more positions", async () => {
  const contextOf = (...overrides: string[]) => {
    const config = Result.getOrThrow(loadRunConfig({ source: "test", overrides }));
    const context = Policy.pipe(Effect.map(({ contextLength }) => contextLength));
    return Effect.runPromise(context.pipe(Effect.provide(policyLayer(config, config.policy.path))));
  };
  const whole = await contextOf();
  assertEquals(await contextOf("policy.context=40"), 40);
  assertEquals(await contextOf(`policy.context=${whole + 1}`), whole);
});
