import { assert, assertEquals, assertStringIncludes } from "@std/assert";

/** What a command printed as its error, and its exit code. */
async function fails(verb: string, ...args: readonly string[]): Promise<{ code: number; error: string }> {
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--no-check", "--no-prompt", "--allow-read", "--allow-write", "--allow-ffi", "--allow-env"],
      ...[`pipelines/verbs/${verb}.ts`, ...args],
    ],
    stdout: "null",
    stderr: "piped",
    env: { NO_COLOR: "1" },
  }).output();
  const error = new TextDecoder().decode(stderr);
  assert(code !== 0, error);
  assertEquals(error.includes("    at "), false, error);
  return { code, error };
}

/** Runs `use` with a folder for inputs and a path at which nothing may come to be. */
async function untouched(use: (folder: string, out: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    const out = `${folder}/out`;
    await use(folder, out);
    assertEquals([...Deno.readDirSync(folder)].filter(({ name }) => name.startsWith("out")), []);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A model folder that lacks what `without` names. */
function policy(folder: string, without: (name: string) => boolean): string {
  const path = `${folder}/policy`;
  Deno.mkdirSync(path);
  for (const { name } of Deno.readDirSync("fixtures/policies/countdown")) {
    if (!without(name)) Deno.copyFileSync(`fixtures/policies/countdown/${name}`, `${path}/${name}`);
  }
  return path;
}

const countdown = ["task.environment=countdown", "task.level=0", "policy.path=fixtures/policies/countdown"];

Deno.test("training makes no folder for data that cannot be read", () =>
  untouched(async (folder, out) => {
    const data = `${folder}/data.jsonl`;
    await Deno.writeTextFile(data, '{"nums": [1, 2], "target": 3}\n{"nums": 4}\n');
    const { error } = await fails("train", ...countdown, `data.train=${data}`, `trainer.run_dir=${out}`);
    assertStringIncludes(error, `${data}: `);
    assertStringIncludes(error, "row 2");
  }));

Deno.test("nor for weights that are not there, or torn", () =>
  untouched(async (folder, out) => {
    const path = policy(folder, (name) => name === "model.safetensors");
    const settings = ["task.environment=countdown", `policy.path=${path}`, `trainer.run_dir=${out}`];
    const missing = await fails("train", ...settings);
    assertEquals(missing.code, 2);
    assertStringIncludes(missing.error, `${path}/model.safetensors: is missing`);
    await Deno.writeTextFile(`${path}/model.safetensors`, "torn");
    assertStringIncludes((await fails("train", ...settings)).error, `${path}/model.safetensors: `);
  }));

Deno.test("nor for adapters that do not fit, a foreign reference or negatives without their fields", () =>
  untouched(async (folder, out) => {
    const settings = [...countdown, `trainer.run_dir=${out}`];
    const lora = await fails("train", ...settings, "policy.lora.rank=2", "policy.lora.target_modules=[nope]");
    assertEquals(lora.code, 2);
    assertStringIncludes(lora.error, "policy.lora: fixtures/policies/countdown: Cannot adapt nope");
    const reference = policy(folder, () => false);
    const file = `${reference}/config.json`;
    const config = JSON.parse(Deno.readTextFileSync(file));
    Deno.writeTextFileSync(
      file,
      JSON.stringify({ ...config, architectures: ["MambaForCausalLM"], model_type: "mamba" }),
    );
    const foreign = await fails(
      "train",
      ...[...settings, "algorithm.name=grpo", "algorithm.kl_coef=0.1", `policy.reference=${reference}`],
    );
    assertEquals(foreign.code, 2);
    assertStringIncludes(foreign.error, "policy.reference: ");
    assertStringIncludes(foreign.error, "MambaForCausalLM");
    const negatives = `${folder}/negatives.jsonl`;
    await Deno.writeTextFile(negatives, '{"id": "a"}\n');
    const rows = await fails(
      "train",
      ...[...settings, "algorithm.name=reflect_rl", `algorithm.reflective.file=${negatives}`],
    );
    assertEquals(rows.code, 2);
    assertStringIncludes(rows.error, `algorithm.reflective.file: ${negatives}: `);
  }));

Deno.test("merging makes no folder for a model that is not there or of an unknown family", () =>
  untouched(async (folder, out) => {
    const missing = await fails("merge", `${folder}/no`, `out=${out}`);
    assertEquals(missing.code, 2);
    assertStringIncludes(missing.error, `${folder}/no/config.json cannot be read`);
    const path = policy(folder, (name) => name === "model.safetensors");
    assertStringIncludes((await fails("merge", path, `out=${out}`)).error, "model.safetensors: is missing");
  }));

Deno.test("gathering negatives begins no file before the recordings are read", () =>
  untouched(async (folder, out) => {
    const from = `${folder}/recorded.jsonl`;
    await Deno.writeTextFile(from, "{}\n");
    const { error } = await fails(
      "build_negatives",
      ...[...countdown, "negatives.from=" + from, `negatives.out=${out}.jsonl`],
    );
    assertStringIncludes(error, from);
  }));

Deno.test("a comparison makes no folder for a file that an entry lacks, and names start and entry", () =>
  untouched(async (folder, out) => {
    const file = `${folder}/comparison.yaml`;
    await Deno.writeTextFile(
      file,
      `folder: ${out}\nsearch: {rates: [1.0e-3]}\nstarts: {tiny: {policy: {path: fixtures/policies/countdown}}}\n` +
        `base: {task: {environment: countdown, level: 0}}\n` +
        `entries: {copy: {algorithm: {name: sft, offline: ${folder}/no.jsonl}}}\n`,
    );
    const { code, error } = await fails("compare", file);
    assertEquals(code, 2);
    assertStringIncludes(error, `tiny, copy: algorithm.offline: ${folder}/no.jsonl cannot be read`);
  }));

Deno.test("an evaluation that cannot begin leaves the results of the one before", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/evaluation.yaml`, "temperatures: [1]\n");
    await Deno.writeTextFile(`${folder}/results.json`, "{}\n");
    const data = `${folder}/data.jsonl`;
    await Deno.writeTextFile(data, '{"nums": 4}\n');
    await fails("evaluate", ...countdown, `data.valid=${data}`, `eval.out_dir=${folder}`);
    assertEquals(await Deno.readTextFile(`${folder}/results.json`), "{}\n");
    assertEquals(await Deno.readTextFile(`${folder}/evaluation.yaml`), "temperatures: [1]\n");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("demonstrations that a run may be training on are not replaced", async () => {
  const file = await Deno.makeTempFile();
  try {
    await Deno.writeTextFile(file, "kept");
    const { code, error } = await fails("demonstrations", `demonstrations.out=${file}`);
    assertEquals(code, 2);
    assertStringIncludes(
      error,
      `demonstrations.out: ${file} is there already; remove it or name another file`,
    );
    assertEquals(await Deno.readTextFile(file), "kept");
  } finally {
    await Deno.remove(file);
  }
});
