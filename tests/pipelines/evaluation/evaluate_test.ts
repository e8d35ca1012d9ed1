/**
 * `deno task eval` as a user runs it, in small.
 *
 * @module
 */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { EvalReport } from "../../../pipelines/evaluation/eval_report.ts";

const script = (name: string) => new URL(`../../../pipelines/verbs/${name}.ts`, import.meta.url).pathname;

async function run(name: string, ...args: readonly string[]) {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-check",
      "--allow-read",
      "--allow-write",
      "--allow-ffi",
      "--allow-env",
      script(name),
      ...args,
    ],
    stdout: "piped",
    stderr: "piped",
    env: { NO_COLOR: "1" },
  }).output();
  const text = new TextDecoder();
  return { code, out: text.decode(stdout), err: text.decode(stderr) };
}

/** The shipped policy with the last half of its weights set to 0. */
async function damaged(folder: string): Promise<string> {
  await Deno.mkdir(folder);
  for await (const { name } of Deno.readDir("fixtures/policies/household")) {
    const bytes = await Deno.readFile(`fixtures/policies/household/${name}`);
    if (name === "model.safetensors") bytes.fill(0, bytes.length >> 1);
    await Deno.writeFile(`${folder}/${name}`, bytes);
  }
  return folder;
}

const yaml = `
engine: { threads: 1 }
eval:
  tasks: 4
  temperatures: [1]
  attempts: 2
  benchmarks:
    - { name: household }
    - { name: sums, task: { environment: countdown, max_turns: 2 }, eval: { guidance: off } }
`;

Deno.test("one command measures two policies on several benchmarks", async (t) => {
  const folder = await Deno.makeTempDir();
  const config = `${folder}/eval.yaml`;
  await Deno.writeTextFile(config, yaml);
  const settings = (out: string) => [
    config,
    `eval.out_dir=${folder}/${out}`,
    "eval.baseline=fixtures/policies/rule-blind",
  ];
  const results = (out: string): EvalReport =>
    JSON.parse(Deno.readTextFileSync(`${folder}/${out}/results.json`));
  try {
    await t.step("the table, the numbers and the attempts", async () => {
      const { code, out, err } = await run("evaluate", ...settings("a"));
      assertEquals([code, err], [0, ""]);
      for (const line of out.split("\n")) {
        assert([...line].length <= 80 || line.includes(folder), line);
      }
      assertMatch(
        out,
        /^household +before +1 .*\nhousehold +after +1 .*\nsums +before +1 .*\nsums +after +1 /m,
      );
      assertStringIncludes(out, "sums: countdown, split valid, 4 tasks, 2 attempts each, seed 1");
      assertStringIncludes(out, "household: guidance own, t=1, reports t=0.7");
      const report = results("a");
      assertEquals(report.policies.map(({ name }) => name), ["before", "after"]);
      assertEquals(report.benchmarks.map(({ name, results }) => [name, results.length]), [
        ["household", 2],
        ["sums", 2],
      ]);
      const [household, sums] = report.benchmarks;
      assertEquals(household.results.map(({ guidance }) => guidance?.tasks), [4, 4]);
      assertEquals(sums.results.map(({ guidance }) => guidance), [null, null]);
      assertEquals(sums.results[0].success[0].unparseable, 1);
      assertEquals(report.forgetting.map(({ benchmark, passed }) => [benchmark, passed]), [
        ["household", true],
        ["sums", true],
      ]);
      const attempts = Deno.readTextFileSync(`${folder}/a/attempts.jsonl`).trim().split("\n");
      // Tasks × policies, single attempts of both benchmarks and second attempts of one.
      assertEquals(attempts.length, 4 * 2 * 3);
      assertStringIncludes(attempts[0], '"kind":"household, before, t=1: ');
    });

    await t.step("the report's reader takes the folder", async () => {
      const { code, out } = await run("report", `${folder}/a`);
      assertEquals(code, 0);
      assertMatch(out, /^evaluation of fixtures\/policies\/household +before +after/);
      assertMatch(out, /^household, temperature 1 .*\nsums, temperature 1 /m);
      assertStringIncludes(Deno.readTextFileSync(`${folder}/a/report.html`), "household, before, t=1");
    });

    await t.step("batch size and concurrency change no number", async () => {
      const other = ["rollout.decode_batch=3", "rollout.concurrency=1"];
      const { code } = await run("evaluate", ...settings("b"), ...other);
      assertEquals(code, 0);
      assertEquals(results("b"), results("a"));
    });

    await t.step("too much forgotten is a failure, after the table", async () => {
      const { code, out, err } = await run(
        "evaluate",
        "eval.baseline=fixtures/policies/household",
        `policy.path=${await damaged(`${folder}/damaged`)}`,
        "eval.guidance=off",
        "eval.temperatures=[1]",
        "eval.tasks=24",
        "task.kinds={pick_and_place_simple: 1}",
        "eval.forget_margin=0",
        "engine.threads=1",
      );
      assertMatch(out, /household +1 +0\.\d+ +0\.\d+ +-0\.\d+ .*FORGOT/);
      assertEquals(code, 1);
      assertMatch(err, /^household, temperature 1: success fell from .* \(eval.forget_margin\)\n$/);
    });

    await t.step("wrong input is told before anything is played", async () => {
      await Deno.mkdir(`${folder}/run/checkpoints`, { recursive: true });
      for (
        const [setting, part] of [
          ["eval.baseline=nowhere", "eval.baseline: no model folder: nowhere/config.json"],
          [`eval.out_dir=${folder}/run`, "eval.out_dir: a training run is in"],
          ["eval.benchmarks=[{name: x, task: {level: 7}}]", "eval.benchmarks[0].task.level: must be 0 to 3"],
        ]
      ) {
        const { code, err } = await run("evaluate", setting);
        assertEquals(code, 2, err);
        assertStringIncludes(err, part);
      }
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
