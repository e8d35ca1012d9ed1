import { assert, assertEquals, assertStringIncludes } from "@std/assert";

const fixture = new URL("./_verb_fixture.ts", import.meta.url).pathname;
const decoder = new TextDecoder();

function command(script: string, args: readonly string[]): Deno.Command {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-check", "--allow-read", "--allow-env", script, ...args],
    env: { NO_COLOR: "1" },
    stdout: "piped",
    stderr: "piped",
  });
}

async function run(script: string, ...args: string[]) {
  const { code, stdout, stderr } = await command(script, args).output();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

Deno.test("success exits with 0 and prints nothing but its output", async () => {
  assertEquals(await run(fixture, "succeed"), { code: 0, stdout: "done\n", stderr: "" });
});

Deno.test("what stages warn of is told in plain words beside the output", async () => {
  const stderr = "Warning: rows.jsonl: 1 of 2 rows left out\n";
  assertEquals(await run(fixture, "warn"), { code: 0, stdout: "done\n", stderr });
});

Deno.test("a failed run exits with 1 and one line, no stack", async () => {
  assertEquals(await run(fixture, "fail"), {
    code: 1,
    stdout: "",
    stderr: "weights.bin: the disk is full\n",
  });
});

/** Whether a program is there that runs another one on a terminal. */
const hasTerminal = Deno.build.os === "linux" &&
  await Deno.stat("/usr/bin/script").then(() => true, () => false);

Deno.test({
  name: "a terminal gets a long message in lines that fit, a pipe gets one line",
  ignore: !hasTerminal,
  fn: async () => {
    const { stderr } = await run(fixture, "long");
    assertEquals(stderr.trimEnd().split("\n").length, 1);
    const args = ["run", "--quiet", "--no-check", "--allow-read", "--allow-env", fixture, "long"];
    const shell = `stty cols 60; ${[Deno.execPath(), ...args].join(" ")}`;
    const { code, stdout } = await new Deno.Command("/usr/bin/script", {
      args: ["-qec", shell, "/dev/null"],
      env: { NO_COLOR: "1" },
      stdin: "null",
    }).output();
    const lines = decoder.decode(stdout).trimEnd().split(/\r?\n/);
    assertEquals(code, 1);
    assert(lines.length > 3 && lines.every((line) => line.length <= 60), lines.join("\n"));
    assertEquals(lines.map((line) => line.trim()).join(" "), stderr.trimEnd());
    assert(lines.slice(1).every((line) => line.startsWith("  ")));
  },
});

Deno.test("a bug exits with 1 and shows its stack", async () => {
  const { code, stderr } = await run(fixture, "defect");
  assertEquals(code, 1);
  assertStringIncludes(stderr, "TypeError: undefined is not a tensor");
  assertStringIncludes(stderr, "_verb_fixture.ts");
});

Deno.test("an unknown option and a second file exit with 2, both named", async () => {
  const { code, stderr } = await run(fixture, "--verbose", "a.yaml", "b.yaml");
  assertEquals(code, 2);
  assertStringIncludes(stderr, "--verbose: no such option");
  assertStringIncludes(stderr, "b.yaml: unexpected after a.yaml");
});

Deno.test("--help exits with 0, lists keys with defaults and fits 80 columns", async () => {
  for (const flag of ["--help", "-h"]) {
    const { code, stdout } = await run(fixture, flag);
    assertEquals(code, 0);
    assertStringIncludes(stdout, "log.attempts_every=10");
    assertStringIncludes(stdout, "Exit codes");
    assert(stdout.split("\n").every((line) => line.length <= 80));
  }
});

/** Starts the fixture, and sends `signal` each time it prints one of `cues`. */
async function interrupt(outcome: string, cues: readonly string[], signal: Deno.Signal = "SIGINT") {
  const child = command(fixture, [outcome]).spawn();
  let printed = "";
  let sent = 0;
  for await (const chunk of child.stdout) {
    printed += decoder.decode(chunk);
    while (sent < cues.length && printed.includes(cues[sent])) {
      child.kill(signal);
      sent++;
    }
  }
  const stderr = decoder.decode(await new Response(child.stderr).bytes());
  return { code: (await child.status).code, stderr };
}

Deno.test({
  name: "Ctrl-C cleans up, says what was saved and exits with 130",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    assertEquals(await interrupt("wait", ["waiting"]), { code: 130, stderr: "saved: step_4\n" });
  },
});

Deno.test({
  name: "SIGTERM cleans up as Ctrl-C does and exits with 143",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    assertEquals(await interrupt("wait", ["waiting"], "SIGTERM"), { code: 143, stderr: "saved: step_4\n" });
  },
});

Deno.test("a path may hold = after a slash", async () => {
  const { code, stderr } = await run(verb("report"), "nowhere/lr=1");
  assertEquals([code, stderr], [1, "nowhere/lr=1/config.yaml: does not exist\n"]);
});

Deno.test({
  name: "a second Ctrl-C exits at once",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    const begin = performance.now();
    const { code } = await interrupt("stuck", ["waiting", "cleaning up"]);
    assertEquals(code, 130);
    assert(performance.now() - begin < 30_000);
  },
});

const verb = (name: string) => new URL(`../../../pipelines/verbs/${name}.ts`, import.meta.url).pathname;

Deno.test("check-config lists every fault and exits with 2 before anything is loaded", async () => {
  const { code, stdout, stderr } = await run(
    verb("check_config"),
    "rollout.tempature=1",
    "optim.lr=0",
    "num_generations=4",
  );
  assertEquals([code, stdout], [2, ""]);
  assertStringIncludes(stderr, "rollout.tempature: unknown key; did you mean rollout.temperature?");
  assertStringIncludes(stderr, "optim.lr: expected a value greater than 0, got 0");
  assertStringIncludes(stderr, "num_generations: not a key of Pivot; write rollout.n");
});

Deno.test("a missing configuration file, policy or run folder is told by its path", async () => {
  const missing = await run(verb("check_config"), "nowhere.yaml");
  assertEquals(missing.code, 2);
  assertStringIncludes(missing.stderr, "nowhere.yaml: does not exist");
  const policy = await run(verb("plan"), "policy.path=nowhere");
  assertEquals(policy.code, 2);
  assertStringIncludes(policy.stderr, "policy.path: no model folder: nowhere/config.json");
  const report = await run(verb("report"), "nowhere");
  assertEquals(report.code, 1);
  assertStringIncludes(report.stderr, "nowhere/config.yaml: does not exist");
});

Deno.test("plan reads only config.json of the policy", async () => {
  const folder = Deno.makeTempDirSync();
  Deno.writeTextFileSync(
    `${folder}/config.json`,
    JSON.stringify({
      architectures: ["LlamaForCausalLM"],
      hidden_act: "silu",
      hidden_size: 64,
      intermediate_size: 192,
      max_position_embeddings: 256,
      model_type: "llama",
      num_attention_heads: 2,
      num_hidden_layers: 3,
      rms_norm_eps: 1e-6,
      rope_theta: 1000,
      tie_word_embeddings: true,
      vocab_size: 300,
    }),
  );
  const { code, stdout, stderr } = await run(verb("plan"), `policy.path=${folder}`, "trainer.total_steps=7");
  Deno.removeSync(folder, { recursive: true });
  assertEquals([code, stderr], [0, ""]);
  // 300*64 + 3*(4*64*64 + 3*64*192 + 2*64) + 64, by hand.
  assertStringIncludes(stdout.replace(/ +/g, " "), "parameters 179,392");
  assertStringIncludes(stdout.replace(/ +/g, " "), "training games 56");
});
