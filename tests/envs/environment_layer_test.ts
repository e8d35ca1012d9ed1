import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { Effect, type Scope } from "effect";
import { Environment, type Episode, type Task, type TextEnv, type Turn } from "../../envs/env.ts";
import { environmentLayer } from "../../envs/environment_layer.ts";
import { householdFormat } from "../../envs/household/format.ts";
import { environments } from "../../envs/registry.ts";
import { choiceOf } from "./_choice.ts";
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
      environments.household(choiceOf({ level })),
    )));
  const good = await play(1);
  assert(good._tag === "Success" && good.success === true);
  const bad = await play(9);
  assert(bad._tag === "Failure" && bad.failure instanceof EnvError);
  assertMatch(bad.failure.message, /level is 9/);
});

const cyclic: Record<string, unknown> = {};
cyclic.self = cyclic;
const hostile = new Proxy({}, {
  get() {
    throw new Error("trap");
  },
});

Deno.test("an answer of another type than the contract's is an EnvError, however it resists being shown", async () => {
  const answers = [undefined, null, 5, cyclic, 5n, Symbol("x"), () => 1, hostile, { ...turn, reward: NaN }];
  for (const answer of answers) {
    for (const operation of ["reset", "step", "restore", "feedback", "fingerprint", "oracle"] as const) {
      const error = await failure({ [operation]: () => answer as never }, (e) => {
        const run = e[operation];
        return typeof run === "function" ? run("look") : run;
      });
      assertEquals(error.operation, operation);
    }
  }
  for (const answer of [undefined, () => 1, Symbol("x")]) {
    assertEquals(
      (await failure({ snapshot: () => answer as never }, (e) => e.snapshot)).operation,
      "snapshot",
    );
  }
});

Deno.test("whatever is thrown becomes a reason of bounded length", async () => {
  for (
    const thrown of [undefined, null, Object.create(null), Symbol("s"), hostile, new Error("x".repeat(1e5))]
  ) {
    const { reason } = await failure({
      step: () => {
        throw thrown;
      },
    }, (e) => e.step("look"));
    assert(reason.length <= 500, reason.slice(0, 80));
  }
});

Deno.test("a thenable is waited for, and no longer than a promise", async () => {
  const soon = { then: (resolve: (answer: Turn) => void) => resolve(turn) };
  assertEquals(
    await run({ step: () => soon as never }, (e) => e.step("look")).then((r) => r._tag),
    "Success",
  );
  assertEquals(
    (await failure({ step: () => ({ then() {} }) as never }, (e) => e.step("look"))).operation,
    "step",
  );
});

Deno.test("an environment may go on changing what it returned", async () => {
  const state = { at: 0 };
  const one: { observation: string } & Turn = { ...turn };
  const result = await run({
    step: (action) => {
      state.at++;
      one.observation = action;
      return one;
    },
    snapshot: () => state,
    restore: (snapshot) => {
      const { at } = snapshot as { at: number };
      (snapshot as { at: number }).at = -1;
      return { ...turn, observation: `at ${at}` };
    },
  }, (e) =>
    Effect.gen(function* () {
      const before = yield* e.snapshot;
      const first = yield* e.step("first");
      yield* e.step("second");
      const restored = [yield* e.restore(before), yield* e.restore(before)];
      return [first, ...restored].map(({ observation }) => observation);
    }));
  assert(result._tag === "Success");
  assertEquals(result.success, ["first", "at 0", "at 0"]);
});

Deno.test("a format that throws or answers no text says so by an EnvError", async () => {
  const wrong = (run: () => unknown) => {
    const layer = environmentLayer({
      name: "test",
      make: () => calm,
      tasks: { size: () => 1, task: () => task },
      format: { system: run as () => string, user: run as () => string, action: run as () => string },
      timeoutMs: 30,
    });
    return Effect.runPromise(Effect.provide(Effect.map(Environment, ({ format }) => format), layer));
  };
  const runs: (() => unknown)[] = [() => undefined, () => 5, () => {
    throw new Error("no");
  }];
  for (const run of runs) {
    const format = await wrong(run);
    assertThrows(() => format.system(task), EnvError);
    assertThrows(() => format.user(turn, 0, ""), EnvError);
    assertThrows(() => format.action("look"), EnvError);
  }
});
