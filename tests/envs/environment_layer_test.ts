import { assert, assertEquals, assertMatch } from "@std/assert";
import { Effect, type Scope } from "effect";
import { Environment, type Episode, type Task, type TextEnv, type Turn } from "../../envs/env.ts";
import { environmentLayer } from "../../envs/environment_layer.ts";
import { householdFormat } from "../../envs/household/format.ts";
import { environments } from "../../envs/registry.ts";
import { EnvError } from "../../stages/errors.ts";

const task: Task = { id: "t/1", kind: "k", payload: null };
const turn: Turn = { observation: "hello", reward: 0, score: 0, done: false, won: false, truncated: false };

const calm: TextEnv = {
  reset: () => turn,
  step: (action) => ({ ...turn, observation: action }),
  snapshot: () => ({ at: 1 }),
  restore: () => turn,
  fingerprint: () => "f",
  oracle: () => ["go"],
  feedback: () => "Failure: not found.",
};

function run<A>(
  env: Partial<TextEnv>,
  body: (e: Episode) => Effect.Effect<A, EnvError, Scope.Scope>,
  make?: () => TextEnv,
) {
  const layer = environmentLayer({
    name: "test",
    make: make ?? (() => ({ ...calm, ...env })),
    tasks: { size: () => 1, task: () => task },
    format: householdFormat,
    timeoutMs: 30,
  });
  const program = Effect.scoped(Effect.gen(function* () {
    const service = yield* Environment;
    return yield* body(yield* service.open(yield* service.task("train", 0)));
  }));
  return Effect.runPromise(Effect.result(Effect.provide(program, layer)));
}

async function failure(
  env: Partial<TextEnv>,
  body: (e: Episode) => Effect.Effect<unknown, EnvError>,
  make?: () => TextEnv,
) {
  const result = await run(env, body, make);
  assert(result._tag === "Failure", "expected a failure");
  assert(result.failure instanceof EnvError);
  return result.failure;
}

Deno.test("operations pass through", async () => {
  const result = await run(
    { step: (a) => Promise.resolve({ ...turn, observation: a }) },
    (e) =>
      Effect.all([e.reset, e.step("look"), e.snapshot, e.restore(1), e.fingerprint, e.oracle, e.feedback]),
  );
  assert(result._tag === "Success");
  assertEquals(result.success, [
    turn,
    { ...turn, observation: "look" },
    { at: 1 },
    turn,
    "f",
    ["go"],
    "Failure: not found.",
  ]);
});

Deno.test("what hangs, throws, rejects or answers nonsense is an EnvError that says where", async () => {
  const before = performance.now();
  const hung = await failure({ step: () => new Promise(() => {}) }, (e) => e.step("look"));
  assertEquals([hung.environment, hung.task, hung.operation, hung.reason], [
    "test",
    "t/1",
    "step",
    "timed out after 30 ms",
  ]);
  assert(performance.now() - before < 2000);
  const thrown = await failure({
    reset: () => {
      throw new TypeError("no game");
    },
  }, (e) => e.reset);
  assertEquals([thrown.operation, thrown.reason], ["reset", "no game"]);
  const rejected = await failure({ snapshot: () => Promise.reject("gone") }, (e) => e.snapshot);
  assertEquals([rejected.operation, rejected.reason], ["snapshot", "gone"]);
  const oracle = await failure({
    oracle: () => {
      throw new Error("lost");
    },
  }, (e) => e.oracle);
  assertEquals(oracle.operation, "oracle");
  const nonsense = await failure({ step: () => ({ observation: 3 }) as never }, (e) => e.step("look"));
  assertMatch(nonsense.reason, /no turn: \{"observation":3\}/);
  const unmade = await failure({}, (e) => e.reset, () => {
    throw new Error("no room");
  });
  assertEquals([unmade.operation, unmade.reason], ["open", "no room"]);
});

Deno.test("close runs once when the scope ends, after a failure too, and its own failure is no one's", async () => {
  let closed = 0;
  const close = () => {
    closed++;
    throw new Error("stuck");
  };
  assertEquals((await run({ close }, (e) => e.reset))._tag, "Success");
  assertEquals(closed, 1);
  await failure({
    close,
    step: () => {
      throw new Error("x");
    },
  }, (e) => e.step("look"));
  assertEquals(closed, 2);
});

Deno.test("the registry's household serves tasks; a level that does not exist fails with a typed error", async () => {
  const play = (level: number) =>
    Effect.runPromise(Effect.result(Effect.provide(
      Effect.scoped(Effect.gen(function* () {
        const service = yield* Environment;
        const episode = yield* service.open(yield* service.task("valid", 2));
        yield* episode.reset;
        const commands = yield* episode.oracle;
        let last: Turn | undefined;
        for (const command of commands) last = yield* episode.step(command);
        return last?.won;
      })),
      environments.household({ level, maxTurns: null, kinds: null, timeoutMs: 1000 }),
    )));
  const good = await play(1);
  assert(good._tag === "Success" && good.success === true);
  const bad = await play(9);
  assert(bad._tag === "Failure" && bad.failure instanceof EnvError);
  assertMatch(bad.failure.message, /level is 9/);
});
