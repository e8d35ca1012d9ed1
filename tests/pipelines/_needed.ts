import { Effect } from "effect";
import { Environment } from "../../envs/env.ts";
import { environmentOf } from "../../pipelines/run/environment_of.ts";
import { trainIndex } from "../../pipelines/run/train_index.ts";
import { smallConfig } from "./_train.ts";

/**
 * Overrides without which an algorithm cannot run: a file of failed attempts at the
 * first training tasks of `overrides`, a teacher.
 */
export async function neededBy(name: string, ...overrides: readonly string[]): Promise<readonly string[]> {
  const needed: string[] = [];
  if (name.startsWith("reflect_rl")) {
    const path = await writeNegatives(...overrides);
    needed.push(`algorithm.reflective.file=${path}`);
  }
  if (name.endsWith("opd")) {
    // A teacher has its student's tokenizer.
    const { path } = smallConfig(...overrides).policy;
    const teacher = path === "fixtures/policies/household" ? "fixtures/policies/rule-blind" : path;
    needed.push(`algorithm.distillation.teacher=${teacher}`);
  }
  return needed;
}

/** Writes a failed attempt at each of the first 16 training tasks; returns the file's path. */
export function writeNegatives(...overrides: readonly string[]): Promise<string> {
  const config = smallConfig(...overrides);
  return Effect.runPromise(
    Effect.gen(function* () {
      const environment = yield* Environment;
      const rows: string[] = [];
      for (let cursor = 0; cursor < 16; cursor++) {
        const index = trainIndex(cursor, config.trainer.seed, environment.size("train"));
        const { id: task } = yield* environment.task("train", index);
        rows.push(JSON.stringify({ id: `failed/${index}`, task, index, replies: ["examine nothing"] }));
      }
      const path = yield* Effect.promise(() => Deno.makeTempFile({ suffix: ".jsonl" }));
      yield* Effect.promise(() => Deno.writeTextFile(path, rows.join("\n") + "\n"));
      return path;
    }).pipe(Effect.provide(environmentOf(config))),
  );
}
