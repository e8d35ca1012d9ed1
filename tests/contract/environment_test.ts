/**
 * What every environment that generates its own tasks keeps, through the service
 * that the stages use.
 *
 * @module
 */
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { Effect, Result } from "effect";
import fc from "fast-check";
import { Environment, type EnvironmentShape } from "../../envs/env.ts";
import { environmentOf } from "../../pipelines/run/environment_of.ts";
import { loadConfig } from "../../stages/config/load_config.ts";

for (const name of ["household", "lab", "shop", "countdown"]) {
  const config = Result.getOrThrow(loadConfig({ source: "test", overrides: [`task.environment=${name}`] }));
  const withEnvironment = <A, E>(run: (environment: EnvironmentShape) => Effect.Effect<A, E, never>) =>
    Effect.runPromise(
      Effect.gen(function* () {
        return yield* run(yield* Environment);
      }).pipe(Effect.provide(environmentOf(config))) as Effect.Effect<A>,
    );

  Deno.test(`${name}: tasks are plain JSON, the same each time, other ones in other splits`, async () => {
    await withEnvironment((environment) =>
      Effect.gen(function* () {
        const task = yield* environment.task("train", 3);
        assertEquals(JSON.parse(JSON.stringify(task)), task);
        assertEquals(yield* environment.task("train", 3), task);
        const ids = [
          task.id,
          (yield* environment.task("valid", 3)).id,
          (yield* environment.task("test", 3)).id,
        ];
        assertEquals(new Set(ids).size, 3);
      })
    );
  });

  Deno.test(`${name}: the oracle wins, and its format reads its own commands back`, async () => {
    await withEnvironment((environment) =>
      Effect.scoped(Effect.gen(function* () {
        for (let index = 0; index < 8; index++) {
          const episode = yield* environment.open(yield* environment.task("valid", index));
          let turn = yield* episode.reset;
          for (const command of yield* episode.oracle) {
            assert(!turn.done);
            turn = yield* episode.step(environment.format.action(command));
          }
          assert(turn.won && turn.done, `task ${index}`);
          assert((yield* episode.feedback).length > 0);
          const verdict = yield* episode.verdict ?? Effect.succeed(null);
          if (verdict !== null) assertEquals([verdict.outcome, verdict.category], ["right", "ok"]);
        }
      }))
    );
  });

  Deno.test(`${name}: any text is an action, and a restored state is the one that was saved`, async () => {
    const texts = fc.array(fc.string({ unit: "binary", maxLength: 30 }), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(texts, fc.nat({ max: 20 }), async (actions, index) => {
        await withEnvironment((environment) =>
          Effect.scoped(Effect.gen(function* () {
            const task = yield* environment.task("train", index);
            const episode = yield* environment.open(task);
            const first = yield* episode.reset;
            assertNotEquals(first.observation, "");
            const saved = yield* episode.snapshot;
            const print = yield* episode.fingerprint;
            const said: string[] = [];
            for (const action of actions) said.push((yield* episode.step(action)).observation);
            assertEquals(JSON.parse(JSON.stringify(saved)), saved);
            const other = yield* environment.open(task);
            yield* other.reset;
            assertEquals((yield* other.restore(saved)).observation, first.observation);
            assertEquals(yield* other.fingerprint, print);
            const again: string[] = [];
            for (const action of actions) again.push((yield* other.step(action)).observation);
            assertEquals(again, said);
          }))
        );
      }),
      { numRuns: 20 },
    );
  });
}
