/**
 * Checks a finished run folder: `deno run --allow-read .ci/check_run.ts <folder> <steps>`.
 *
 * @module
 */
const [folder, steps] = Deno.args;
const lines = (name: string) =>
  Deno.readTextFileSync(`${folder}/${name}`).trimEnd().split("\n").map((line) => JSON.parse(line));
const faults: string[] = [];
const expect = (holds: boolean, fault: string) => {
  if (!holds) faults.push(fault);
};

const metrics = lines("metrics.jsonl");
const expected = Array.from({ length: Number(steps) + 1 }, (_, step) => step);
expect(
  JSON.stringify(metrics.map(({ step }) => step)) === JSON.stringify(expected),
  `metrics.jsonl has steps ${metrics.map(({ step }) => step)} instead of ${expected}`,
);
for (const name of ["critic/score/mean", "actor/grad_norm", "actor/entropy", "timing_s/step"]) {
  expect(metrics.slice(1).every((line) => Number.isFinite(line[name])), `a step has no ${name}`);
}
for (const line of [metrics[0], metrics.at(-1)]) {
  expect(
    Object.keys(line).some((name) => name.startsWith("val-core/")),
    `step ${line.step} has no evaluation`,
  );
}
expect(
  lines("attempts.jsonl").every(({ members }) => members.length > 0),
  "attempts.jsonl has an empty group",
);
for (const name of ["model.safetensors", "config.json", "tokenizer.json", "manifest.json"]) {
  expect(
    Deno.statSync(`${folder}/checkpoints/step_${steps}/${name}`).size > 0,
    `the checkpoint has no ${name}`,
  );
}
const report = Deno.readTextFileSync(`${folder}/report.html`);
expect(report.includes("<svg"), "report.html has no curve");
expect(!/(src|href)="?https?:/.test(report), "report.html loads something");

faults.forEach((fault) => console.error(fault));
Deno.exit(faults.length === 0 ? 0 : 1);
