import { Context, Effect, Layer, type Scope } from "effect";
import { Environment } from "../../envs/env.ts";
import { type Benchmark, benchmarks } from "../../stages/config/benchmarks.ts";
import type { RunConfig } from "../../stages/config/run_config.ts";
import {
  ConfigError,
  type EngineError,
  type EnvError,
  type FileError,
  type PolicyError,
} from "../../stages/errors.ts";
import { Policy } from "../../stages/policy/policy.ts";
import { type EvalFolder, openEvalFolder } from "./eval_folder.ts";
import type { BenchmarkResult, EvalReport, PolicyName } from "./eval_report.ts";
import { evaluateGuidance } from "./evaluate_guidance.ts";
import { evaluateSuccess } from "./evaluate_success.ts";
import { forgetting } from "./forgetting.ts";
import { taskRange } from "./task_range.ts";
import type { Progress } from "../terminal/progress.ts";
import { environmentOf } from "../run/environment_of.ts";
import { policyLayer } from "../run/run_layers.ts";
import { stageOptions } from "../run/stage_options.ts";

/** What can end an evaluation. */
export type EvalError = ConfigError | EngineError | EnvError | FileError | PolicyError;

/** A benchmark with its environment made. */
interface Opened extends Benchmark {
  readonly environment: Context.Context<Environment>;
}

/**
 * Measures the policy at `policy.path`, after `eval.baseline` if there is one, on every
 * benchmark: success of independent attempts at each temperature, then first and second
 * attempts under guidance. Seeds are fixed by `eval.seed`, so two policies play the same
 * tasks with the same random numbers. Data files and the first policy are read before
 * anything is written or played.
 */
export function evalLoop(config: RunConfig, progress: Progress): Effect.Effect<EvalReport, EvalError> {
  return Effect.scoped(Effect.gen(function* () {
    const named = yield* Effect.fromResult(benchmarks(config));
    const opened = yield* Effect.forEach(named, open);
    const { baseline } = config.eval;
    const policies: readonly PolicyName[] = [
      ...(baseline === null ? [] : [{ name: "before" as const, path: baseline }]),
      { name: "after" as const, path: config.policy.path },
    ];
    const measureAll = (policy: PolicyName, folder: EvalFolder) =>
      Effect.forEach(opened, (benchmark) => measure(benchmark, policy, folder, progress));
    // What an earlier evaluation left there is removed when there is something to put in its place.
    const first = yield* Layer.build(policyLayer(config, policies[0].path));
    const folder = yield* openEvalFolder(config);
    const results = [yield* measureAll(policies[0], folder).pipe(Effect.provide(first))];
    for (const policy of policies.slice(1)) {
      results.push(
        yield* measureAll(policy, folder).pipe(Effect.provide(policyLayer(config, policy.path))),
      );
    }
    const report = assemble(config, named, policies, results);
    yield* folder.finish(report);
    return report;
  }));
}

/** Makes the benchmark's environment; an empty split is a ConfigError. */
function open(benchmark: Benchmark): Effect.Effect<Opened, ConfigError | FileError, Scope.Scope> {
  const { name, config: { eval: { split }, task } } = benchmark;
  return Effect.gen(function* () {
    const environment = yield* Layer.build(environmentOf(benchmark.config));
    if (Context.get(environment, Environment).size(split) > 0) return { ...benchmark, environment };
    const message =
      `${task.environment} has no tasks in split ${split}; data.${split} names a file with some`;
    return yield* new ConfigError({ source: `benchmark ${name}`, faults: [{ path: "eval.split", message }] });
  });
}

/** One policy on one benchmark. */
function measure(
  { name, config, environment }: Opened,
  { name: policy }: PolicyName,
  folder: EvalFolder,
  progress: Progress,
): Effect.Effect<BenchmarkResult, EnvError | FileError | PolicyError, Policy> {
  const { eval: settings, rollout } = config;
  const play = {
    temperature: rollout.temperature,
    maxTokens: rollout.max_tokens,
    concurrency: rollout.concurrency,
    seed: settings.seed,
    batch: 2 * rollout.decode_batch,
  };
  return Effect.gen(function* () {
    const { chat } = yield* Policy;
    const tasks = yield* taskRange(settings.split, 0, settings.tasks);
    const say = (what: string) =>
      progress.activity(`${name}, policy ${policy}: ${tasks.length} tasks, ${what}`);
    const success = yield* Effect.forEach(settings.temperatures, (temperature) => {
      say(`temperature ${temperature}`);
      const label = `${name}, ${policy}, t=${temperature}`;
      const options = { ...play, temperature, attempts: settings.attempts };
      return evaluateSuccess(tasks, options, (groups) => folder.record(label, groups, chat));
    });
    const { guidance: source, guidance_temperature: t } = settings;
    if (source === "off") return { policy, success, guidance: null };
    say(`guidance ${source}`);
    const { diagnose, stitch } = stageOptions(config, 1);
    const same = t === null ? {} : { temperature: t };
    const options = {
      play: { ...play, ...same },
      // Words that are taken for advice on a failure are asked for after failures only.
      diagnose: { ...diagnose, reflection: true, successes: diagnose.form === "report", ...same },
      stitch: { ...stitch, from: settings.retry_from, context: config.algorithm.retry_context, ...same },
    };
    const label = `${name}, ${policy}, second attempts`;
    const guidance = yield* evaluateGuidance(
      tasks,
      source,
      options,
      (groups) => folder.record(label, groups, chat),
    );
    return { policy, success, guidance };
  }).pipe(Effect.provide(environment));
}

function assemble(
  { eval: { forget_margin: margin } }: RunConfig,
  named: readonly Benchmark[],
  policies: readonly PolicyName[],
  results: readonly (readonly BenchmarkResult[])[],
): EvalReport {
  const reports = named.map(({ name, config: { task, eval: settings } }, i) => ({
    name,
    environment: task.environment,
    split: settings.split,
    tasks: results[0][i].success[0].tasks,
    seed: settings.seed,
    maxUnchecked: settings.max_unchecked,
    results: results.map((byBenchmark) => byBenchmark[i]),
  }));
  const changes = reports.flatMap(({ name, results: [before, after] }) =>
    after === undefined ? [] : before.success.map((s, t) => forgetting(name, s, after.success[t], margin))
  );
  return { policies, benchmarks: reports, forgetting: changes };
}
