import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { Effect, Result } from "effect";
import { requireFiles } from "../../pipelines/command/require_files.ts";
import { loadRunConfig } from "../../pipelines/run/load_run_config.ts";
import { metricNames } from "../../stages/metrics/metric_names.ts";
import { writeNegatives } from "./_needed.ts";
import { smallConfig, train } from "./_train.ts";

const policy = "fixtures/policies/household";
const teacher = (path: string) => `algorithm.distillation.teacher=${path}`;
const opd = ["algorithm.name=opd", teacher("fixtures/policies/rule-blind"), "rollout.n=1"];
const file = await writeNegatives();
const reflective = [
  "algorithm.name=reflect_rl_opd",
  teacher("fixtures/policies/rule-blind"),
  `algorithm.reflective.file=${file}`,
  "rollout.n=1",
];
const klOf = ({ metrics }: { readonly metrics: Readonly<Record<string, number>> }) =>
  metrics[metricNames.distillationKl];

for (const form of ["full", "sampled"]) {
  Deno.test(`opd, ${form}: a policy that is its own teacher has nothing to learn`, async () => {
    const own = ["algorithm.name=opd", teacher(policy), `algorithm.distillation.form=${form}`];
    const { reports } = await train(smallConfig(...own, "trainer.total_steps=1", "rollout.n=1"));
    assert(Math.abs(klOf(reports[0])) < 1e-5, String(klOf(reports[0])));
    assert(reports[0].metrics[metricNames.gradNorm] < 1e-3);
  });
}

const questions = await Deno.makeTempFile({ suffix: ".jsonl" });
await Deno.writeTextFile(questions, '{"target": 98, "nums": [44, 19, 35]}\n{"target": 9, "nums": [4, 5]}\n');

for (const form of ["full", "sampled"]) {
  Deno.test(`opd, ${form}: the divergence from the teacher falls on questions that are asked again`, async () => {
    const again = ["task.environment=countdown", `data.train=${questions}`, "rollout.n=16"];
    const longer = ["trainer.total_steps=4", "optim.lr=0.0003", `algorithm.distillation.form=${form}`];
    const { reports } = await train(smallConfig(...opd, ...again, ...longer));
    const kl = reports.map(klOf);
    assert(kl[0] > 0.01 && kl[3] < 0.6 * kl[0], kl.join(" "));
    assert(reports.every(({ metrics }) => metrics[metricNames.policyLoss] === 0));
  });
}

Deno.test("reflect_rl_opd: the teacher reads failures, the policy's rollouts are those of opd", async () => {
  const plain = await train(smallConfig(...opd));
  const taught = await train(smallConfig(...reflective));
  const none = await train(
    smallConfig(...reflective, "algorithm.reflective.high=0", "algorithm.reflective.low=0"),
  );
  assertEquals(none.weights, plain.weights);
  const played = ({ reports }: typeof plain) =>
    reports[0].groups.map(({ attempts }) => attempts.map(({ ids, logprobs }) => ({ ids, logprobs })));
  assertEquals(played(taught), played(plain));
  // One of two tasks at the start.
  assertEquals(taught.reports[0].groups.map(({ privileged }) => privileged !== undefined), [true, false]);
  assertEquals(taught.reports[0].metrics[metricNames.privilegedRows], 1);
  assertNotEquals(klOf(taught.reports[0]), klOf(plain.reports[0]));
});

Deno.test("other failures change only what the teacher says", async () => {
  const text = await Deno.readTextFile(file);
  const other = await Deno.makeTempFile({ suffix: ".jsonl" });
  await Deno.writeTextFile(other, text.replaceAll("examine nothing", "go to nothing"));
  const one = ["trainer.total_steps=1"];
  const [a, b] = [
    await train(smallConfig(...reflective, ...one)),
    await train(smallConfig(...reflective, ...one, `algorithm.reflective.file=${other}`)),
  ];
  assertEquals(
    a.reports[0].groups.map(({ attempts }) => attempts),
    b.reports[0].groups.map(({ attempts }) => attempts),
  );
  assertNotEquals(klOf(a.reports[0]), klOf(b.reports[0]));
});

Deno.test("a teacher is needed, is there, and has the policy's tokenizer", async () => {
  const missing = loadRunConfig({ source: "test", overrides: ["algorithm.name=opd"] });
  assert(Result.isFailure(missing));
  assertEquals(missing.failure.faults, [
    { path: "algorithm.distillation.teacher", message: "algorithm opd needs it, got null" },
  ]);
  const fault = async (path: string) => {
    const error = await Effect.runPromise(Effect.flip(requireFiles(smallConfig(...opd, teacher(path)))));
    assertEquals(error.faults.map((one) => one.path), ["algorithm.distillation.teacher"]);
    return error.faults[0].message;
  };
  const foreign = await Deno.makeTempDir();
  await Deno.writeTextFile(`${foreign}/config.json`, "{}");
  await Deno.copyFile("fixtures/tokenizers/qwen2/tokenizer.json", `${foreign}/tokenizer.json`);
  assertMatch(await fault(foreign), /has another tokenizer than policy.path/);
  assertMatch(await fault("fixtures/models/none"), /cannot be read/);
});
