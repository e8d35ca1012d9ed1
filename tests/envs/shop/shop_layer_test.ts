import { assert, assertEquals } from "@std/assert";
import { Effect, Exit } from "effect";
import { Environment, type EnvironmentShape } from "../../../envs/env.ts";
import { environments } from "../../../envs/registry.ts";
import { choiceOf } from "../_choice.ts";

type Choice = NonNullable<Parameters<typeof choiceOf>[0]>;

function run<A>(choice: Choice, use: (environment: EnvironmentShape) => Effect.Effect<A, unknown, never>) {
  const program = Effect.gen(function* () {
    return yield* use(yield* Environment);
  });
  return Effect.runPromiseExit(program.pipe(Effect.provide(environments.shop(choiceOf(choice)))));
}

Deno.test("a catalogue of files is played from its goals, or from rows of goals", async () => {
  const recorded = JSON.parse(
    Deno.readTextFileSync(new URL("../../../fixtures/shop/original_engine.json", import.meta.url)),
  );
  const folder = Deno.makeTempDirSync();
  try {
    const write = (name: string, text: string) => {
      Deno.writeTextFileSync(`${folder}/${name}`, text);
      return `${folder}/${name}`;
    };
    const shop = {
      ...choiceOf().shop,
      products: write("products.json", JSON.stringify(recorded.products)),
      attributes: write("attributes.json", JSON.stringify(recorded.attributes)),
    };
    const play = (environment: EnvironmentShape, split: "train" | "test") =>
      Effect.scoped(Effect.gen(function* () {
        const ids: string[] = [];
        for (let index = 0; index < environment.size(split); index++) {
          const task = yield* environment.task(split, index);
          const episode = yield* environment.open(task);
          let turn = yield* episode.reset;
          for (const command of yield* episode.oracle) {
            turn = yield* episode.step(environment.format.action(command));
          }
          ids.push(`${task.id} ${turn.won}`);
        }
        return ids;
      }));
    // "search" and "buy now" as options cannot be clicked as such: those goals have no oracle.
    const made = await run({ shop }, (environment) => play(environment, "train"));
    assert(Exit.isSuccess(made));
    assertEquals(made.value.length, 8);
    assert(made.value.filter((id) => id.endsWith("true")).length >= 2, made.value.join("\n"));

    const rows = recorded.human_goals.map((goal: unknown) => JSON.stringify(goal)).join("\n");
    const files = { train: null, valid: null, test: write("goals.jsonl", rows) };
    for (const rules of ["webshop", "r3l"] as const) {
      const read = await run({ shop: { ...shop, rules }, files }, (environment) => play(environment, "test"));
      assert(Exit.isSuccess(read), String(read));
      assertEquals(read.value, ["shop/test/000000/B000TEST06 true", "shop/test/000001/B000TEST01 true"]);
    }

    const foreign = write("foreign.jsonl", rows.replaceAll("B000TEST01", "B000NONE01"));
    const refused = await run({ shop, files: { ...files, test: foreign } }, () => Effect.void);
    assert(
      Exit.isFailure(refused) && String(refused.cause).includes("row 2, field asin: no product B000NONE01"),
    );
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
