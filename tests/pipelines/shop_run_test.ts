import { assert, assertEquals } from "@std/assert";
import { smallConfig, train } from "./_train.ts";

Deno.test("R3L and GRPO train the shop's starting policy, which plays by the rules that it has", async () => {
  for (const name of ["r3l", "grpo"]) {
    const config = smallConfig(
      `algorithm.name=${name}`,
      "task.environment=shop",
      "task.level=0",
      "policy.path=fixtures/policies/shop",
      "rollout.batch_size=4",
    );
    const { reports } = await train(config);
    assertEquals(reports.length, 2);
    for (const { metrics } of reports) {
      const success = metrics["rollout/success"];
      assert(success >= 0 && success <= 0.9, `${name}: success ${success}`);
      assert(Number.isFinite(metrics["actor/grad_norm"]), name);
      if (name === "r3l") assertEquals(metrics["diagnose/valid_rate"], 1);
    }
  }
});
