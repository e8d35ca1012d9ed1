import { assert, assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import { Result } from "effect";
import { loadRunConfig } from "../../../pipelines/run/load_run_config.ts";
import { pipelines, registerPipeline } from "../../../pipelines/pipelines.ts";
import { stageOptions } from "../../../pipelines/run/stage_options.ts";
import { amplifyRewards } from "../../../stages/amplify/amplify_rewards.ts";
import { estimators } from "../../../stages/amplify/estimators.ts";
import { registerEstimator } from "../../../stages/amplify/register_estimator.ts";
import { loadConfig } from "../../../stages/config/load_config.ts";
import { estimatorNeeds, estimatorReads, lossNeeds, lossReads } from "../../../stages/config/option_reads.ts";
import type { RunConfig } from "../../../stages/config/run_config.ts";
import { ConfigError } from "../../../stages/errors.ts";
import { losses } from "../../../stages/update/losses.ts";
import { registerLoss } from "../../../stages/update/register_loss.ts";

// Read before a test registers more.
const builtInLosses = Object.keys(losses);
const builtInEstimators = Object.keys(estimators);

function accepted(...overrides: readonly string[]): RunConfig {
  const result = loadRunConfig({ source: "test", overrides });
  if (Result.isFailure(result)) throw result.failure;
  return result.success;
}

function faults(...overrides: readonly string[]): Record<string, string> {
  const result = loadRunConfig({ source: "test", overrides });
  assert(Result.isFailure(result), "expected faults");
  return Object.fromEntries(result.failure.faults.map(({ path, message }) => [path, message]));
}

const inAlgorithm = (option: string) => `algorithm.${option}`;

Deno.test("the algorithm's own defaults apply below what the user sets", () => {
  assertEquals(accepted(), Result.getOrThrow(loadConfig({ source: "test" })));
  const { algorithm, trainer } = accepted("algorithm.name=dapo", "algorithm.loss_options.clip_low=0.1");
  assertEquals([algorithm.loss, algorithm.aggregation, algorithm.reflection], ["ppo", "token-mean", false]);
  assertEquals([algorithm.loss_options.clip_low, algorithm.loss_options.clip_high], [0.1, 0.28]);
  assertEquals(trainer.run_dir, "runs/dapo-household-seed1");
});

Deno.test("a resolved configuration of every algorithm resolves to itself, with and without the algorithms", () => {
  for (const name of Object.keys(pipelines)) {
    const required = (pipelines[name].requires ?? []).map((key) => `algorithm.${key}=given`);
    const config = accepted(`algorithm.name=${name}`, ...required);
    const yaml = JSON.stringify(config);
    assertEquals(Result.getOrThrow(loadRunConfig({ source: "test", yaml })), config);
    assertEquals(Result.getOrThrow(loadConfig({ source: "test", yaml })), config);
  }
});

Deno.test("unknown names are told the nearest known one", () => {
  assertStringIncludes(faults("algorithm.name=gpro")["algorithm.name"], "did you mean grpo?");
  assertStringIncludes(faults("algorithm.estimator=rlo")["algorithm.estimator"], "did you mean rloo?");
  assertStringIncludes(faults("algorithm.loss=pppo")["algorithm.loss"], "did you mean ppo?");
});

Deno.test("a key that the algorithm does not read is a fault, unless it says what holds anyway", () => {
  const found = faults("algorithm.name=grpo", "algorithm.retries_per_base=2", "algorithm.reflection=false");
  assertEquals(Object.keys(found), ["algorithm.retries_per_base"]);
  assertMatch(found["algorithm.retries_per_base"], /grpo does not read it, got 2/);
  assertEquals(
    Object.keys(faults("algorithm.name=r3l", "algorithm.dynamic_sampling_rounds=3")),
    ["algorithm.dynamic_sampling_rounds"],
  );
});

Deno.test("an option that the chosen loss, estimator or amplification does not read is a fault", () => {
  const found = faults(
    "algorithm.name=grpo",
    "algorithm.loss_options.tau=2",
    "algorithm.loss_options.clip_low=0.1",
    "algorithm.estimator_options.threshold=0.5",
    "algorithm.estimator_options.ddof=0",
    "algorithm.alpha=5",
  );
  assertEquals(found, {
    "algorithm.loss_options.tau": "loss ppo does not read it, got 2",
    "algorithm.estimator_options.threshold": "estimator grpo does not read it, got 0.5",
    "algorithm.alpha": "amplification none does not read it, got 5",
  });
  for (const value of ["3", "[]", "null"]) {
    const overrides = ["algorithm.name=grpo", `algorithm.loss_options=${value}`];
    const result = loadRunConfig({ source: "test", overrides });
    assert(Result.isFailure(result));
    assertEquals(result.failure.faults, [
      { path: "algorithm.loss_options", message: `expected object, got ${value}` },
    ]);
  }
  // The options of a default are no fault when another loss is chosen.
  assertEquals(accepted("algorithm.name=dapo", "algorithm.loss=opmd").algorithm.loss_options.clip_high, 0.28);
  assertEquals(accepted("algorithm.alpha=5", "algorithm.without_amplification=true").algorithm.alpha, 5);
});

Deno.test("the tables of options name every loss and estimator, and only keys that there are", () => {
  for (
    const [registry, table, section] of [
      [builtInLosses, lossReads, "loss_options"],
      [builtInEstimators, estimatorReads, "estimator_options"],
    ] as const
  ) {
    const keys = Object.keys(accepted().algorithm[section]);
    assertEquals(Object.keys(table).filter((name) => !registry.includes(name)), []);
    for (const name of registry) assert(Object.hasOwn(table, name), name);
    assertEquals(Object.values(table).flat().filter((key) => !keys.includes(key)), []);
    // No option is there that nothing built in reads.
    assertEquals(keys.filter((key) => !Object.values(table).flat().includes(key)), []);
  }
  for (const [table, reads] of [[lossNeeds, lossReads], [estimatorNeeds, estimatorReads]] as const) {
    for (const [name, needs] of Object.entries(table)) {
      const named = Object.entries(needs).flatMap(([option, [other]]) => [option, other]);
      assertEquals(named.filter((option) => !reads[name].includes(option)), []);
    }
  }
});

Deno.test("the original form of critique_grpo has its authors' estimator and aggregation", () => {
  const original = ["algorithm.name=critique_grpo", "algorithm.critique_form=original"];
  const { algorithm } = accepted(...original);
  assertEquals(
    [algorithm.estimator, algorithm.aggregation, algorithm.loss],
    ["dr_grpo", "seq-mean-token-sum", "critique_grpo"],
  );
  assertEquals(accepted(...original, "algorithm.estimator=rloo").algorithm.estimator, "rloo");
  assertEquals(accepted("algorithm.name=critique_grpo").algorithm.estimator, "grpo");
  const yaml = JSON.stringify(accepted(...original));
  assertEquals(Result.getOrThrow(loadRunConfig({ source: "test", yaml })).algorithm, algorithm);
});

Deno.test("r3l's ablations, strengths of amplification, retries per base and lags are configurations", () => {
  const { algorithm: whole } = accepted();
  const ablated = (name: string) => accepted(`algorithm.without_${name}=true`).algorithm;
  assertEquals([whole.amplification, ablated("amplification").amplification], ["paper", "none"]);
  assertEquals([whole.credit, ablated("credit").credit], ["pivot", "none"]);
  assertEquals([whole.reflection, ablated("reflection").reflection], [true, false]);
  for (const alpha of [1, 2, 3, 5, 7]) {
    const { amplify } = stageOptions(accepted(`algorithm.alpha=${alpha}`));
    assertEquals(amplifyRewards([1, 0, 0, 0], amplify)[0], alpha);
  }
  // The paper's table: 8 = 4 base + 4x1, 2x2 or 1x4 retries.
  for (const [retries, retried] of [[1, undefined], [2, 2], [4, 1]]) {
    const { sample, stitch } = stageOptions(accepted(`algorithm.retries_per_base=${retries}`));
    assertEquals([sample.attempts, stitch.chain?.bases], [4, retried]);
    assertEquals(stitch.chain?.retries ?? 1, retries);
  }
  assertMatch(faults("algorithm.retries_per_base=3")["rollout.n"], /multiple of 6/);
  for (const lag of [1, 5, 10, 20]) {
    const save = `trainer.save_steps=${3 * lag}`;
    assertEquals(stageOptions(accepted(`algorithm.sync_every=${lag}`, save)).syncEvery, lag);
  }
  const replayed = stageOptions(
    accepted("algorithm.replay.steps_per_sample=4", "algorithm.replay.cooldown=2"),
  );
  assertEquals(
    [replayed.replay.stepsPerSample, replayed.replay.cooldown, replayed.replay.maxUses],
    [4, 2, 3],
  );
});

Deno.test("masking failures by divergence needs a loss of ratios", () => {
  assertMatch(faults("algorithm.divergence_limit=0.1")["algorithm.divergence_limit"], /loss of ratios/);
  const options = stageOptions(accepted("algorithm.name=grpo", "algorithm.divergence_limit=0.1"));
  assertEquals(options.update.divergenceLimit, 0.1);
});

Deno.test("options reach their estimator and loss by name", () => {
  const options = stageOptions(
    accepted(
      "algorithm.name=opmd",
      "algorithm.estimator_options.baseline=logavgexp",
      "algorithm.estimator_options.tau=2",
      "algorithm.loss_options.tau=3",
    ),
  );
  assertEquals(
    amplifyRewards([1, 0], options.amplify),
    estimators.opmd.estimate([1, 0], { baseline: "logavgexp", tau: 2 }),
  );
  assertEquals(options.update.lossOptions, { tau: 3, maskBeyondClip: false });
  const overlong = stageOptions(accepted("algorithm.name=dapo", "algorithm.overlong.limit=100"));
  assertEquals(overlong.score.overlong, { limit: 100, cache: 20, factor: 1 });
  const rec = stageOptions(
    accepted(
      ...["name=grpo", "loss=rec", "loss_options.range=ring", "loss_options.outer_low=0.5"].map(inAlgorithm),
      ...["outer_high=3", "weight=advantage", "temperature=2"].map((o) => inAlgorithm(`loss_options.${o}`)),
      ...["regulariser=k2", "regulariser_coef=0.3"].map((o) => inAlgorithm(`loss_options.${o}`)),
    ),
  ).update.lossOptions;
  assertEquals(rec, {
    ...{ range: "ring", outerLow: 0.5, outerHigh: 3, weight: "advantage", temperature: 2 },
    ...{ regulariser: "k2", regulariserCoefficient: 0.3, maskBeyondClip: false },
  });
  const topr = accepted("algorithm.name=grpo", "algorithm.loss=topr", "algorithm.loss_options.threshold=0.5");
  assertEquals(stageOptions(topr).update.lossOptions, { threshold: 0.5, maskBeyondClip: false });
});

Deno.test("options of the stages reach them", () => {
  const { score, amplify, update } = stageOptions(
    accepted(
      ...["auxiliary.successes=true", "auxiliary.requires_change=false", "flat_groups=raw"].map(inAlgorithm),
      ...["row_length=full", "loss=ppo", "retry_old_logprobs=behaviour"].map(inAlgorithm),
    ),
  );
  assertEquals([score.auxiliarySuccess, score.reflectRequiresChange], [true, false]);
  assertEquals([amplify.flatGroups, update.length, update.retryOldLogprobs], ["raw", "full", "behaviour"]);
  assertEquals(Object.hasOwn(stageOptions(accepted()).amplify, "flatGroups"), false);
  assertMatch(
    faults("algorithm.retry_old_logprobs=behaviour")["algorithm.retry_old_logprobs"],
    /loss of ratios/,
  );
});

Deno.test("an option that another one switches off is a fault", () => {
  const rec = (...options: readonly string[]) =>
    ["name=grpo", "loss=rec", ...options.map((option) => `loss_options.${option}`)].map(inAlgorithm);
  const message = (name: string, ...options: readonly string[]) =>
    faults(...rec(...options))[`algorithm.loss_options.${name}`];
  assertEquals(
    message("outer_low", "outer_low=0.5"),
    "loss rec without range ring does not read it, got 0.5",
  );
  assertMatch(message("temperature", "temperature=2", "weight=ratio"), /without weight advantage/);
  assertMatch(
    message("clip_low", "clip_low=0.1", "range=none"),
    /without range one-side or two-side or ring/,
  );
  assertMatch(message("regulariser", "regulariser=k2"), /needs algorithm.loss_options.regulariser_coef/);
  assertMatch(message("regulariser_coef", "regulariser_coef=1"), /without regulariser k2 or forward-kl/);
  assertEquals(accepted(...rec("clip_low=0.1")).algorithm.loss_options.clip_low, 0.1);
  const tau = faults("algorithm.name=opmd", "algorithm.estimator_options.tau=2");
  assertMatch(tau["algorithm.estimator_options.tau"], /opmd without baseline logavgexp does not read it/);
});

Deno.test("an estimator, a loss and a pipeline of one's own work from a configuration", () => {
  assertEquals(Object.keys(faults("algorithm.estimator=halved")), ["algorithm.estimator"]);
  registerEstimator("halved", (rewards) => rewards.map((r) => r / 2));
  registerLoss("own_loss", losses.policy_gradient);
  registerPipeline(
    "own_algorithm",
    Object.assign(pipelines.grpo.bind(null), {
      reads: pipelines.grpo.reads,
      defaults: { algorithm: { ...pipelines.grpo.defaults.algorithm, estimator: "halved" } },
    }),
  );
  const config = accepted("algorithm.name=own_algorithm", "algorithm.loss=own_loss");
  assertEquals(
    amplifyRewards([1, 0], { ...stageOptions(config).amplify, amplification: "none" }),
    [0.5, 0],
  );
  assertThrows(() => registerEstimator("grpo", (rewards) => [...rewards]), ConfigError, "already");
  assertThrows(() => registerLoss("My Loss", losses.ppo), ConfigError, "lower-case");
  delete pipelines.own_algorithm;
});
