import { assert, assertEquals, assertMatch } from "@std/assert";
import { Result } from "effect";
import { loadRunConfig } from "../../pipelines/run/load_run_config.ts";
import { pipelines } from "../../pipelines/pipelines.ts";
import { metricNames } from "../../stages/metrics/metric_names.ts";
import { smallConfig, train } from "./_train.ts";

const world = [
  "task.environment=countdown",
  "task.level=0",
  "policy.path=fixtures/policies/countdown",
  "rollout.max_tokens=12",
];
/** Methods whose own stages stand between sampling and the buffer. */
const composed = ["critique_grpo", "reflect_grpo", "reflect_retry_reward", "gigpo", "vine_ppo"];

for (const name of composed) {
  Deno.test(`${name} trains its groups again from the replay buffer`, async () => {
    const few = name === "vine_ppo" ? ["algorithm.vine.rollouts=2"] : [];
    const config = smallConfig(
      `algorithm.name=${name}`,
      "algorithm.replay.steps_per_sample=2",
      ...world,
      ...few,
    );
    const [fresh, again] = (await train(config)).reports;
    assertEquals([again.step, again.cursor], [2, fresh.cursor]);
    assertEquals(again.groups.map(({ members }) => members), fresh.groups.map(({ members }) => members));
    assertEquals([fresh, again].map(({ metrics }) => metrics[metricNames.stalenessMax]), [0, 1]);
    const { replay } = fresh;
    assert(
      replay !== undefined && JSON.stringify(replay) === JSON.stringify(JSON.parse(JSON.stringify(replay))),
    );
  });
}

Deno.test("methods that only train on what the policy samples now, or on a file, refuse a replay buffer", () => {
  const without = Object.keys(pipelines).filter((name) =>
    pipelines[name].base === undefined && !pipelines[name].reads.includes("replay")
  );
  assertEquals(without.sort(), ["dpo", "opd", "reflect_rl_opd", "sft"]);
  for (const name of without) {
    const required = (pipelines[name].requires ?? []).map((key) => `algorithm.${key}=given`);
    const overrides = [`algorithm.name=${name}`, "algorithm.replay.steps_per_sample=2", ...required];
    const result = loadRunConfig({ source: "test", overrides });
    assert(Result.isFailure(result));
    const [fault] = result.failure.faults;
    assertEquals(fault.path, "algorithm.replay.steps_per_sample");
    assertMatch(fault.message, new RegExp(`algorithm ${name} does not read it, got 2`));
  }
});
