import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { Effect, Layer } from "effect";
import { buildNegatives } from "../../../pipelines/negatives/build_negatives.ts";
import { readNegatives } from "../../../pipelines/negatives/read_negatives.ts";
import { environmentOf } from "../../../pipelines/run/environment_of.ts";
import { policyLayer } from "../../../pipelines/run/run_layers.ts";
import { FileError } from "../../../stages/errors.ts";
import { smallConfig } from "../_train.ts";

const settings = ["negatives.tasks=5", "negatives.samples=3", "negatives.keep=2"];

/** Builds into `path`; `stopAfter` batches it is interrupted. */
async function build(path: string, overrides: readonly string[] = [], stopAfter = Infinity): Promise<string> {
  let batches = 0;
  const config = smallConfig(...settings, `negatives.out=${path}`, ...overrides);
  await Effect.runPromise(buildNegatives(config, () => {
    if (++batches >= stopAfter) throw new Error("stopped");
  }));
  return await Deno.readTextFile(path);
}

const folder = await Deno.makeTempDir();
const whole = await build(`${folder}/whole.jsonl`);

Deno.test("what is gathered fails its tasks and can be read back", async () => {
  const rows = whole.trim().split("\n").map((line) => JSON.parse(line));
  const perTask = Map.groupBy(rows, (row) => row.task);
  assert(perTask.size >= 3 && [...perTask.values()].every((some) => some.length <= 2));
  assertEquals(rows[0].attempt.split("\n> ").length, rows[0].replies.length);
  const config = smallConfig();
  const limits = { template: "{problem}{attempt}", maxPrompt: 496, verify: true };
  const services = Layer.mergeAll(policyLayer(config, config.policy.path), environmentOf(config));
  const read = readNegatives(`${folder}/whole.jsonl`, limits, 0).pipe(Effect.provide(services));
  assertEquals((await Effect.runPromise(read)).tasks, perTask.size);
});

Deno.test("a build that was stopped goes on, and the concurrency changes nothing", async () => {
  const path = `${folder}/stopped.jsonl`;
  await assertRejects(() => build(path, ["rollout.concurrency=1"], 1), Error, "stopped");
  // A line that a kill tore.
  await Deno.writeTextFile(`${path}.part`, '{"rows":[{"id"', { append: true });
  let later = 0;
  const config = smallConfig(...settings, `negatives.out=${path}`);
  await Effect.runPromise(buildNegatives(config, () => later++));
  assertEquals(later, 2);
  assertEquals(await Deno.readTextFile(path), whole);
});

Deno.test("a build is not continued with other settings, nor overwritten", async () => {
  const path = `${folder}/other.jsonl`;
  await assertRejects(() => build(path, [], 1), Error, "stopped");
  const error = await assertRejects(() => build(path, ["rollout.temperature=0.5"]), FileError);
  assertMatch(error.message, /other.jsonl.part: was begun with rollout.temperature 1, now it is 0.5/);
  const there = await assertRejects(() => build(`${folder}/whole.jsonl`), FileError);
  assertMatch(there.message, /is there already/);
});

Deno.test("attempts that do not fit are left out or cut in the middle", async () => {
  const most = ["algorithm.name=reflect_rl", "algorithm.reflective.file=unread"];
  const short = [...most, "algorithm.reflective.max_prompt=360"];
  const cut = (await build(`${folder}/cut.jsonl`, [...short, "negatives.fit=head_tail"])).trim().split("\n");
  assertEquals(cut.length, whole.trim().split("\n").length);
  assert(cut.some((line) => JSON.parse(line).attempt.includes("\n[...]\n")));
  const none = await assertRejects(
    () => build(`${folder}/none.jsonl`, [...most, "algorithm.reflective.max_prompt=100"]),
    FileError,
  );
  assertMatch(none.message, /no failed attempt was kept/);
});
