import { Effect, Result } from "effect";
import { assertEquals, assertMatch } from "@std/assert";
import { openEvalFolder } from "../../../pipelines/evaluation/eval_folder.ts";
import { loadConfig } from "../../../stages/config/load_config.ts";

Deno.test("one process evaluates into a folder at a time", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const config = Result.getOrThrow(loadConfig({ source: "test", overrides: [`eval.out_dir=${folder}`] }));
    const open = Effect.asVoid(openEvalFolder(config));
    // The lock's file stays; it is the lock on it that counts.
    await Effect.runPromise(Effect.scoped(open));
    const attempts = `${folder}/attempts.jsonl`;
    const refused = Effect.gen(function* () {
      yield* open;
      Deno.writeTextFileSync(attempts, "the other's\n");
      return yield* Effect.flip(Effect.scoped(open));
    });
    const error = await Effect.runPromise(Effect.scoped(refused));
    assertMatch(error.message, /another process is using this folder/);
    assertEquals(await Deno.readTextFile(attempts), "the other's\n");
    await Deno.writeTextFile(`${folder}/attempts.jsonl`, "an earlier one's\n");
    await Effect.runPromise(Effect.scoped(open));
    const names = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
    assertEquals(names, [".lock", "config.yaml", "evaluation.yaml"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
