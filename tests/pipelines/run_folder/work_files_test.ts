/**
 * Work files of `deno task failures` and `deno task negatives` that another hand changed.
 *
 * @module
 */
import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { Effect } from "effect";
import { openFailureFile } from "../../../pipelines/failure_set/failure_file.ts";
import { NegativesFile } from "../../../pipelines/negatives/negatives_file.ts";
import { lockFile } from "../../../pipelines/run_folder/lock_file.ts";
import { FileError } from "../../../stages/errors.ts";

const folder = await Deno.makeTempDir();
const messageOf = (effect: Effect.Effect<unknown, Error>) =>
  Effect.runPromise(Effect.flip(effect)).then(({ message }) => message);

Deno.test("a changed file of failures is refused by file and line, a torn end is not", async () => {
  const path = `${folder}/f.jsonl`;
  const open = Effect.scoped(openFailureFile(path, { cap: 1 }));
  const good = '{"cap":1}\n{"index":0,"sampled":1,"successes":0,"contaminated":false,"row":null}\n';
  Deno.writeTextFileSync(`${path}.work`, good + '{"index":');
  assertEquals((await Effect.runPromise(open)).done.length, 1);
  for (const line of ['{"index":3}', "null", "[]", "x"]) {
    Deno.writeTextFileSync(`${path}.work`, `${good}${line}\n`);
    assertMatch(await messageOf(open), /f\.jsonl\.work: line 3 is n/);
  }
  Deno.writeTextFileSync(path, "");
  Deno.writeTextFileSync(`${path}.meta.json`, "null");
  assertMatch(await messageOf(open), /f\.jsonl\.meta\.json: does not tell settings and counts/);
});

Deno.test("a changed file of negatives is refused by file and line, a torn end is not", () => {
  const path = `${folder}/n.jsonl`;
  const good = '{"keep":1}\n{"rows":[],"attempts":1,"failures":0,"usable":0,"tooLong":0}\n';
  Deno.writeTextFileSync(`${path}.part`, good + '{"rows":');
  assertEquals(new NegativesFile(path, { keep: 1 }).batches.length, 1);
  for (const line of ["{}", '{"rows":[3]}', "null", "x"]) {
    Deno.writeTextFileSync(`${path}.part`, `${good}${line}\n`);
    assertMatch(
      assertThrows(() => new NegativesFile(path, { keep: 1 }), FileError).message,
      /n\.jsonl\.part: line 3 is no /,
    );
  }
});

Deno.test("one process writes a file at a time", async () => {
  const path = `${folder}/busy`;
  await Effect.runPromise(Effect.scoped(lockFile(path)));
  const lock = Deno.openSync(`${path}.lock`, { write: true, create: true });
  lock.lockSync(true);
  assertMatch(await messageOf(Effect.scoped(lockFile(path))), /busy: another process is writing it/);
  lock.close();
});
