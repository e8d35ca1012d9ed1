import { assert, assertEquals } from "@std/assert";
import { Result } from "effect";
import { loadRunConfig } from "../../../pipelines/run/load_run_config.ts";
import { benchmarks } from "../../../stages/config/benchmarks.ts";

const yaml = (entries: string) => `
task: { level: 2, kinds: { look_at_obj_in_light: 1 } }
rollout: { max_tokens: 20 }
eval:
  tasks: 7
  temperatures: [0]
  benchmarks:
${entries}`;

function read(entries: string) {
  return loadRunConfig({ source: "test", yaml: yaml(entries) });
}

Deno.test("a benchmark is the configuration with its own sections on top", () => {
  const config = Result.getOrThrow(read(`
    - { name: hard, task: { level: 3 }, eval: { attempts: 4 } }
    - { name: sums, task: { environment: countdown }, rollout: { max_tokens: 64 } }
    - { name: gsm8k, task: { environment: math }, data: { test: gsm8k.jsonl, math_answer: hashes }, eval: { split: test } }
  `));
  const [hard, sums, gsm8k] = Result.getOrThrow(benchmarks(config));
  assertEquals([hard.name, hard.config.task.level, hard.config.task.kinds], ["hard", 3, {
    look_at_obj_in_light: 1,
  }]);
  assertEquals([hard.config.eval.attempts, hard.config.eval.tasks], [4, 7]);
  // One that names its environment starts from the defaults of task and data.
  assertEquals([sums.config.task.level, sums.config.task.kinds], [1, null]);
  assertEquals([sums.config.rollout.max_tokens, sums.config.eval.temperatures], [64, [0]]);
  assertEquals([gsm8k.config.data.test, gsm8k.config.eval.split, gsm8k.config.rollout.max_tokens], [
    "gsm8k.jsonl",
    "test",
    20,
  ]);
});

Deno.test("without a list there is one benchmark, named after the environment", () => {
  const config = Result.getOrThrow(loadRunConfig({ source: "test" }));
  assertEquals(Result.getOrThrow(benchmarks(config)), [{ name: "household", config }]);
});

Deno.test("every fault of a benchmark is told with its place in the list", () => {
  const result = read(`
    - { name: a, task: { level: 9 } }
    - { name: a, task: { environment: math } }
    - { task: { levle: 1 } }
    - { name: b, policy: { path: x } }
    - { name: c, eval: { tasks: 0, baseline: x } }
    - { name: d, eval: { tasks: 0 } }
  `);
  assert(Result.isFailure(result));
  assertEquals(result.failure.faults.map(({ path }) => path), [
    "eval.benchmarks[0].task.level",
    "eval.benchmarks[1].data.train",
    "eval.benchmarks[2].name",
    "eval.benchmarks[3].policy",
    "eval.benchmarks[4].eval.baseline",
    "eval.benchmarks[5].eval.tasks",
    "eval.benchmarks[1].name",
  ]);
});

Deno.test("each benchmark without a name is one fault, however many there are", () => {
  const result = read(`
    - { task: { level: 1 } }
    - { task: { level: 3 } }
  `);
  assert(Result.isFailure(result));
  const names = result.failure.faults.filter(({ path }) => path.endsWith(".name"));
  assertEquals(names.map(({ path }) => path), ["eval.benchmarks[0].name", "eval.benchmarks[1].name"]);
});
