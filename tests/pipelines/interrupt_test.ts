import { assert, assertEquals, assertStringIncludes } from "@std/assert";

Deno.test("Ctrl-C while several lanes sample stops the run at once, and the same command goes on", async () => {
  const folder = Deno.makeTempDirSync();
  const settings = [
    `trainer.run_dir=${folder}/run`,
    "trainer.save_steps=1",
    "task.eval_tasks=1",
    "rollout.batch_size=2",
    "rollout.decode_lanes=3",
    "log.progress=lines",
  ];
  const train = (steps: number) =>
    new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "--no-check", "--allow-read", "--allow-write", "--allow-ffi", "--allow-env"],
        ...["pipelines/verbs/train.ts", ...settings, `trainer.total_steps=${steps}`],
      ],
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  try {
    const child = train(1000);
    const said = child.stdout.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
    let text = "";
    while (!/step +2\/1000/.test(text)) {
      const { value, done } = await said.next();
      assert(done !== true, `it ended by itself: ${text}`);
      text += value;
    }
    child.kill("SIGINT");
    const stderr = await new Response(child.stderr).text();
    assertEquals((await child.status).code, 130, stderr);
    assertStringIncludes(stderr, "Stopped. Saved:");
    const steps = Deno.readTextFileSync(`${folder}/run/metrics.jsonl`).trim().split("\n").length;
    const more = train(steps + 1);
    const { code, stdout } = await more.output();
    assertEquals(code, 0);
    assertStringIncludes(new TextDecoder().decode(stdout), `continuing ${folder}/run after step`);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
