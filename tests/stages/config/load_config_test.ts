import { Result } from "effect";
import fc from "fast-check";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { configKeys } from "../../../stages/config/config_keys.ts";
import { type ConfigInput, loadConfig } from "../../../stages/config/load_config.ts";
import type { RunConfig } from "../../../stages/config/run_config.ts";

function accepted(input: Partial<ConfigInput>): RunConfig {
  const result = loadConfig({ source: "test", ...input });
  if (Result.isFailure(result)) throw result.failure;
  return result.success;
}

/** Path → message of every fault. */
function faults(input: Partial<ConfigInput>): Record<string, string> {
  const result = loadConfig({ source: "test", ...input });
  assert(Result.isFailure(result), "expected faults");
  return Object.fromEntries(result.failure.faults.map(({ path, message }) => [path, message]));
}

Deno.test("an empty configuration is the shipped run", () => {
  const config = accepted({});
  assertEquals(config.rollout.n, 8);
  assertEquals(config.algorithm.amplification, "paper");
  const { reflect_weight: reflections, retry_weight: retries, normaliser } = config.algorithm.auxiliary;
  assertEquals([reflections, retries, normaliser], [0.2, 1, "members"]);
  assertEquals(config.optim.lr, 6e-4);
  assertEquals(config.trainer.run_dir, "runs/r3l-household-seed1");
  assertEquals(accepted({ yaml: "" }), config);
  assertEquals(accepted({ yaml: "task:\n# nothing set\nrollout: {}\n" }), config);
});

Deno.test("overrides are YAML and win over the file, the last one over the others", () => {
  const config = accepted({
    yaml: "rollout:\n  n: 4\ntrainer:\n  seed: 3\n",
    overrides: [
      "rollout.n=6",
      "rollout.n=2",
      "eval.temperatures=[0, 1.5]",
      "task.kinds={look_at_obj_in_light: 1}",
      "task.max_turns=",
      "algorithm.auxiliary.reflect_weight=0",
      "policy.path=a=b",
    ],
  });
  assertEquals(config.rollout.n, 2);
  assertEquals(config.eval.temperatures, [0, 1.5]);
  assertEquals(config.task.kinds, { look_at_obj_in_light: 1 });
  assertEquals(config.task.max_turns, null);
  assertEquals(config.algorithm.auxiliary.reflect_weight, 0);
  assertEquals(config.policy.path, "a=b");
  assertEquals(config.trainer.run_dir, "runs/r3l-household-seed3");
});

Deno.test("every fault is reported at once, each with its path", () => {
  const found = faults({
    yaml: "rollout:\n  tempature: 0.7\n  n: 1\noptim:\n  lr: -1\nlog: 3\n",
    overrides: [
      "trainer.seed=.nan",
      "bad",
      "optim.beta1=[1",
      "task.kinds={pick_two_obj_and_place: 0}",
      "eval.temperatures=[1, x]",
    ],
  });
  assertEquals(Object.keys(found).sort(), [
    "bad",
    "eval.temperatures.1",
    "log",
    "optim.beta1=[1",
    "optim.lr",
    "rollout.n",
    "rollout.tempature",
    "task.kinds",
    "trainer.seed",
  ]);
  assertStringIncludes(found["rollout.tempature"], "did you mean rollout.temperature?");
  assertStringIncludes(found["optim.lr"], "greater than 0, got -1");
  assertStringIncludes(found["trainer.seed"], "got NaN");
});

const suggestions: Record<string, string> = {
  "rollout.tempature=1": "rollout.temperature",
  "trainer.total_stpes=1": "trainer.total_steps",
  "algorithm.lr=1": "optim.lr",
  "seed=1": "trainer.seed",
  "trianer.seed=1": "trainer.seed",
  "tasks.level=1": "task.level",
  "algorithm.auxiliary.reflct_weight=1": "algorithm.auxiliary.reflect_weight",
};
for (const [override, expected] of Object.entries(suggestions)) {
  Deno.test(`${override} suggests ${expected}`, () => {
    const [message] = Object.values(faults({ overrides: [override] }));
    assertStringIncludes(message, `did you mean ${expected}`);
  });
}

const foreign: Record<string, string> = {
  "num_generations=8": "rollout.n",
  "trainer.max_steps=8": "trainer.total_steps",
  "optim.learning_rate=1": "optim.lr",
  "num_train_epochs=1": "trainer.total_steps",
  "actor_rollout_ref.rollout.n=8": "rollout.n",
  "algorithm.adv_estimator=grpo": "algorithm.estimator",
  "trainer.save_freq=3": "trainer.save_steps",
};
for (const [override, expected] of Object.entries(foreign)) {
  Deno.test(`${override} of another trainer is refused with a pointer to ${expected}`, () => {
    const [message] = Object.values(faults({ overrides: [override] }));
    assertStringIncludes(message, `write ${expected}`);
  });
}

const strict: readonly string[] = [
  'algorithm.without_credit="true"',
  "algorithm.without_credit=yes",
  "algorithm.without_credit=1",
  "algorithm.amplification=nope",
  "algorithm.amplification=false",
  'algorithm.amplification="none "',
  "algorithm.credit=True",
  "rollout.n=8.5",
  'rollout.n="8"',
  "rollout.temperature=0",
  "rollout.temperature=.inf",
  "optim.beta2=1",
  "engine.provider=tpu",
  "engine.threads=0",
  "engine.threads=1025",
  "serve.idle_s=3.0e+6",
  "rollout.env_timeout_s=3.0e+6",
  "trainer.resume=",
  "eval.temperatures=[]",
  "eval.temperatures=1",
  "optim.final_fraction=1.5",
  "serve.host=0.0.0.0",
  "task.kinds=[heat]",
];
for (const override of strict) {
  Deno.test(`${override} is refused`, () => {
    const path = override.slice(0, override.indexOf("="));
    assertEquals(Object.keys(faults({ overrides: [override] })), [path]);
  });
}

Deno.test("a group of one needs an estimator that compares nothing", () => {
  assertMatch(faults({ overrides: ["rollout.n=1"] })["rollout.n"], /multiple of 2|at least 2/);
  const alone = ["rollout.n=1", "algorithm.without_reflection=true"];
  assertMatch(faults({ overrides: alone })["rollout.n"], /at least 2/);
  assertEquals(accepted({ overrides: [...alone, "algorithm.estimator=reinforce"] }).rollout.n, 1);
});

Deno.test("a group must divide into base attempts and their retries, unless none are made", () => {
  assertMatch(faults({ overrides: ["rollout.n=7"] })["rollout.n"], /multiple of 2/);
  assertEquals(accepted({ overrides: ["rollout.n=7", "algorithm.reflection=false"] }).rollout.n, 7);
  assertEquals(accepted({ overrides: ["rollout.n=12", "algorithm.retries_per_base=3"] }).rollout.n, 12);
  assertMatch(
    faults({ overrides: ["rollout.n=8", "algorithm.retries_per_base=3"] })["rollout.n"],
    /multiple of 6 \(half of it base attempts, one in 3/,
  );
});

Deno.test("ablations are resolved into the keys that they stand for", () => {
  const { algorithm } = accepted({
    overrides: ["without_amplification", "without_credit", "without_reflection"]
      .map((name) => `algorithm.${name}=true`),
  });
  assertEquals([algorithm.amplification, algorithm.credit, algorithm.reflection], ["none", "none", false]);
});

Deno.test("YAML that cannot be read is one fault with its line", () => {
  const broken = ["rollout:\n  n: [1\n", "a: 1\na: 2\n", "rollout:\n\tn: 1\n"];
  for (const yaml of broken) {
    const found = faults({ yaml });
    assertEquals(Object.keys(found), ["(file)"]);
    assertMatch(found["(file)"], /line \d/);
  }
  assertStringIncludes(faults({ yaml: "- 1" })["(file)"], "expected sections");
  assertStringIncludes(faults({ yaml: "x".repeat(1 << 21) })["(file)"], "longer than");
});

Deno.test("the resolved configuration, written as JSON, is a configuration that resolves to itself", () => {
  const config = accepted({
    overrides: ["algorithm.without_credit=true", "task.kinds={pick_two_obj_and_place: 1}"],
  });
  assertEquals(accepted({ yaml: JSON.stringify(config) }), config);
});

Deno.test("no text makes the reader throw or pollutes a prototype", () => {
  const paths = configKeys().map(({ path }) => path);
  const path = fc.oneof(fc.constantFrom(...paths, "__proto__.x", "constructor.prototype.x"), fc.string());
  const override = fc.tuple(path, fc.oneof(fc.string(), fc.json())).map(([key, value]) => `${key}=${value}`);
  fc.assert(
    fc.property(fc.array(override, { maxLength: 4 }), fc.oneof(fc.string(), fc.json()), (overrides, yaml) => {
      loadConfig({ source: "test", yaml, overrides });
      assertEquals(({} as Record<string, unknown>).x, undefined);
    }),
    { numRuns: 300, seed: 1 },
  );
});

Deno.test("every key says what it is", () => {
  const keys = configKeys();
  assertEquals(keys.length, new Set(keys.map(({ path }) => path)).size);
  assert(keys.length > 60);
  for (const { path, description } of keys) assert(description.length > 10, path);
});

Deno.test("YAML that contains itself, or whose aliases grow without bound, is one fault", () => {
  const layers = Array.from({ length: 8 }, (_, i) => {
    const entries = Array.from({ length: 9 }, (_, j) => `k${j}: ${i === 0 ? 1 : `*a${i - 1}`}`);
    return `a${i}: &a${i} {${entries.join(", ")}}`;
  });
  for (const yaml of ["rollout: &r\n  n: 4\n  self: *r\n", "&r\ntask: *r\n", layers.slice(0, 5).join("\n")]) {
    const result = loadConfig({ source: "evil.yaml", yaml });
    assert(Result.isFailure(result));
    assertEquals(result.failure.faults.map(({ path }) => path), ["(file)"]);
  }
  const override = loadConfig({ source: "command line", overrides: ["rollout=&r {n: *r}"] });
  assert(Result.isFailure(override));
});

Deno.test("seeds whose tasks could not be numbered, comments for values and checkpoints off the beat are faults", () => {
  const cases = {
    "trainer.seed=9007199254740991": "trainer.seed",
    "trainer.run_dir=#1": "trainer.run_dir=#1",
    "algorithm.sync_every=4": "trainer.save_steps",
    "task.level=4": "task.level",
  };
  for (const [override, path] of Object.entries(cases)) {
    const result = loadConfig({ source: "command line", overrides: [override] });
    assert(Result.isFailure(result), override);
    assertEquals(result.failure.faults.map((fault) => fault.path), [path]);
  }
  const inStep = loadConfig({
    source: "command line",
    overrides: ["algorithm.sync_every=4", "trainer.save_steps=8"],
  });
  assert(Result.isSuccess(inStep));
});

Deno.test("a count that cannot be meant names its key and its bound", () => {
  const most = 2 ** 31 - 1;
  assertEquals(accepted({ overrides: [`trainer.total_steps=${most}`] }).trainer.total_steps, most);
  const found = faults({
    overrides: ["rollout.n=1e12", `trainer.total_steps=${most + 1}`, "rollout.batch_size=1e9"],
  });
  assertEquals(Object.keys(found).sort(), ["rollout.batch_size", "rollout.n", "trainer.total_steps"]);
  assertMatch(found["rollout.n"], /2147483647, got 1000000000000$/);
  assertMatch(found["trainer.total_steps"], /2147483647, got 2147483648$/);
  assertMatch(found["rollout.batch_size"], /1000000, got 1000000000$/);
});
