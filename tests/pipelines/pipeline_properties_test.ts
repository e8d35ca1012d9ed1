import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { smallConfig, train } from "./_train.ts";

const plain = ["algorithm.name=grpo", "algorithm.loss=policy_gradient", "algorithm.kl_coef=0"];

Deno.test("r3l with alpha 1, no retries and no credit is its estimator's plain policy gradient, bit for bit", async () => {
  const ablated = ["amplification=scaled", "alpha=1", "without_reflection=true", "without_credit=true"]
    .map((text) => `algorithm.${text}`);
  const r3l = await train(smallConfig(...ablated));
  const grpo = await train(smallConfig(...plain));
  assert(grpo.reports.some(({ metrics }) => metrics["actor/grad_norm"] > 0));
  assertEquals(r3l.weights, grpo.weights);
  const amplified = await train(smallConfig(...ablated, "algorithm.alpha=2"));
  assertNotEquals(amplified.weights, grpo.weights);
});

Deno.test("a ratio loss costs no forward pass unless the policy has moved since it sampled", async () => {
  const ratio = ["algorithm.name=grpo", "algorithm.kl_coef=0"];
  assertEquals((await train(smallConfig(...ratio))).forwardTokens, 0);
  assert((await train(smallConfig(...ratio, "algorithm.sync_every=2"))).forwardTokens > 0);
});
