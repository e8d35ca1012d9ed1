import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { Result } from "effect";
import { loadRunConfig } from "../../pipelines/run/load_run_config.ts";
import { metricNames } from "../../stages/metrics/metric_names.ts";
import { writeNegatives } from "./_needed.ts";
import { smallConfig, train } from "./_train.ts";

const file = await writeNegatives();
const reflectRl = ["algorithm.name=reflect_rl", `algorithm.reflective.file=${file}`];
const never = ["algorithm.reflective.high=0", "algorithm.reflective.low=0"];

for (const base of ["grpo", "dapo"]) {
  Deno.test(`reflect_rl without reflective rollouts is ${base}, bit for bit`, async () => {
    const alone = await train(smallConfig(`algorithm.name=${base}`));
    const none = await train(smallConfig(...reflectRl, `algorithm.base=${base}`, ...never));
    assert(alone.reports.some(({ metrics }) => metrics[metricNames.gradNorm] > 0));
    assertEquals(none.weights, alone.weights);
    none.reports.forEach(({ metrics }, i) => {
      assertEquals({ ...metrics, ...alone.reports[i].metrics }, metrics);
    });
    const mixed = await train(smallConfig(...reflectRl, `algorithm.base=${base}`));
    assertNotEquals(mixed.weights, alone.weights);
  });
}

Deno.test("half of a group's attempts are reflective at the start, each trained in its own context", async () => {
  const { reports } = await train(smallConfig(...reflectRl, "trainer.total_steps=1"));
  for (const { attempts, members } of reports[0].groups) {
    assertEquals(attempts.map(({ reflective }) => reflective), [true, true, false, false]);
    const openings = attempts.map(({ ids, turns }) => ids.slice(0, turns[0].start));
    assertEquals(openings[0], openings[1]);
    assertEquals(openings[2], openings[3]);
    assert(openings[0].length > openings[2].length);
    members.forEach((member, i) => assertEquals(member.ids, attempts[i].ids));
  }
  assertEquals(reports[0].metrics[metricNames.reflectiveRollouts], 2);
});

Deno.test("the share follows the steps that the policy has taken", async () => {
  const falling = ["algorithm.reflective.warmup=0", "algorithm.reflective.decay=2", "trainer.total_steps=3"];
  const { reports } = await train(smallConfig(...reflectRl, ...falling, "algorithm.reflective.low=0"));
  // 4 · 0.5 · (1 + cos(π t / 2)) / 2 at t = 0, 1, 2.
  assertEquals(reports.map(({ metrics }) => metrics[metricNames.reflectiveRollouts]), [2, 1, 0]);
});

function faultsOf(...overrides: readonly string[]): readonly string[] {
  const result = loadRunConfig({ source: "test", overrides });
  if (Result.isSuccess(result)) return [];
  return result.failure.faults.map(({ path, message }) => `${path}: ${message}`);
}

Deno.test("keys and defaults of the base are reflect_rl's too", () => {
  const config = smallConfig(...reflectRl, "algorithm.base=dapo", "algorithm.dynamic_sampling_rounds=2");
  assertEquals(config.algorithm.loss_options.clip_high, 0.28);
  assertEquals(config.algorithm.dynamic_sampling_rounds, 2);
  assertEquals(faultsOf(...reflectRl, "algorithm.retry_trigger=always"), [
    'algorithm.retry_trigger: algorithm reflect_rl does not read it, got "always"',
  ]);
  assertEquals(faultsOf("algorithm.name=grpo", `algorithm.reflective.file=${file}`), [
    `algorithm.reflective.file: algorithm grpo does not read it, got "${file}"`,
  ]);
});

Deno.test("what reflect_rl cannot use is a fault with its key", () => {
  assertEquals(faultsOf("algorithm.name=reflect_rl"), [
    "algorithm.reflective.file: algorithm reflect_rl needs it, got null",
  ]);
  const [unknownBase] = faultsOf(...reflectRl, "algorithm.base=grop");
  assert(unknownBase.includes("algorithm.base: no algorithm has that name; did you mean grpo?"), unknownBase);
  const [onItself] = faultsOf(...reflectRl, "algorithm.base=reflect_rl");
  assert(onItself.startsWith("algorithm.base: no algorithm has that name"), onItself);
  const [kernel] = faultsOf(...reflectRl, "algorithm.reflective.kernel=cosin");
  assert(kernel.includes("did you mean cosine?"), kernel);
  const [prompt] = faultsOf(...reflectRl, "algorithm.reflective.prompt=repair it");
  assert(prompt.includes("{problem} and {attempt}"), prompt);
});
