import { assertEquals, assertMatch } from "@std/assert";
import { Effect } from "effect";
import { runLayers } from "../../../pipelines/run/run_layers.ts";
import { unknownTokens } from "../../../pipelines/run/unknown_tokens.ts";
import { smallConfig } from "../_train.ts";

function warning(...overrides: readonly string[]): Promise<string | undefined> {
  const config = smallConfig(...overrides);
  return Effect.runPromise(unknownTokens(config).pipe(Effect.provide(runLayers(config, config.policy.path))));
}

Deno.test("the shipped policy knows its household", async () => {
  for (const level of [0, 1]) assertEquals(await warning(`task.level=${level}`), undefined);
});

Deno.test("questions whose words the policy does not know are warned of in one short line", async () => {
  const text = await warning("task.environment=countdown");
  assertMatch(text ?? "", /^\d\d% of prompt tokens are unknown; set policy\.path to a fitting model$/);
  assertEquals(`Warning: ${text}`.length <= 80, true);
});
