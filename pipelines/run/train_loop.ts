import { Effect, Stream } from "effect";
import type { RunConfig } from "../../stages/config/run_config.ts";
import { Engine } from "../../stages/engine/engine.ts";
import { isAdapterName } from "../../stages/engine/lora.ts";
import type { EngineError, EnvError, FileError, PolicyError, ScoreError } from "../../stages/errors.ts";
import { Policy } from "../../stages/policy/policy.ts";
import type { ReplayState } from "../../stages/replay/replay_buffer.ts";
import type { StepReport } from "../../stages/record.ts";
import { evalMetric } from "../evaluation/eval_metric.ts";
import { evaluateSuccess } from "../evaluation/evaluate_success.ts";
import { taskRange } from "../evaluation/task_range.ts";
import { pipelines } from "../pipelines.ts";
import type { Progress } from "../terminal/progress.ts";
import { attemptRecord } from "../run_folder/attempt_record.ts";
import { readReplay, writeReplay } from "../run_folder/replay_file.ts";
import { tryFile } from "../run_folder/try_file.ts";
import type { RunFolder } from "../run_folder/run_folder.ts";
import { processorSeconds } from "./processor_seconds.ts";
import { runContext } from "./run_context.ts";
import { runLayers } from "./run_layers.ts";
import { stepMetrics } from "./step_metrics.ts";
import { taskStream } from "./task_stream.ts";
import { Timing } from "./timing.ts";
import { unknownTokens } from "./unknown_tokens.ts";

/** What can end a run. */
export type TrainError = EngineError | EnvError | FileError | PolicyError | ScoreError;

/** Services that a run trains with. */
export type TrainServices = ReturnType<typeof runLayers>;

/**
 * Trains as configured from where the run folder stands: evaluation before,
 * `trainer.total_steps` optimiser steps or `trainer.total_tokens` generated tokens
 * (counted by the policy service), evaluation after; one line of metrics a step,
 * checkpoints and attempts at their intervals. `services` must hold the model of the
 * run's checkpoint or, without one, of `policy.path`; by default they are made anew.
 */
export function trainLoop(
  config: RunConfig,
  run: RunFolder,
  progress: Progress,
  services: TrainServices = runLayers(config, run.start.checkpoint ?? config.policy.path),
): Effect.Effect<void, TrainError> {
  const timing = new Timing();
  return steps(config, run, progress, timing).pipe(
    Effect.withTracer(timing.tracer),
    Effect.provide(services),
    Effect.scoped,
  );
}

const steps = Effect.fnUntraced(
  function* (config: RunConfig, run: RunFolder, progress: Progress, timing: Timing) {
    const engine = yield* Engine;
    const policy = yield* Policy;
    const { trainer } = config;
    const { step: done, cursor, checkpoint } = run.start;
    if (checkpoint !== null) yield* engine.load(checkpoint);
    yield* policy.sync(yield* engine.weights, done);
    // The reference is the policy that training started from, also when a run resumes.
    const context = yield* runContext(config);
    const adapters = [...yield* engine.weights].filter(([name]) => isAdapterName(name));
    const trained = adapters.reduce((sum, [, { data }]) => sum + data.length, 0);
    const share = trained === 0 ? "" : `, of which ${trained} in adapters are trained,`;
    progress.note(`${engine.parameters} parameters${share} on ${engine.provider}`);
    if (done > 0) progress.note(`continuing ${run.path} after step ${done}`);

    if (done === 0) {
      const warning = yield* unknownTokens(config);
      if (warning !== undefined) progress.note(`Warning: ${warning}`);
      const scores = yield* evaluate(config, progress, done, false);
      yield* run.writeMetrics(0, { ...scores, ...evalSeconds(timing) });
    }
    let tokens = run.start.tokens;
    const { total_tokens: budget } = trainer;
    const train = pipelines[config.algorithm.name](config, {
      firstStep: done + 1,
      ...(budget === null ? {} : { budgetUsed: () => Math.min(1, tokens / budget) }),
      ...context,
      ...(yield* replayIn(checkpoint)),
    });
    let counted = yield* counts();
    let since = performance.now();
    let worked = processorSeconds();
    yield* train(taskStream(config, cursor)).pipe(
      Stream.mapEffect((report: StepReport) =>
        Effect.gen(function* () {
          const { step } = report;
          yield* policy.release();
          const seconds = timing.take();
          const now = yield* counts();
          const before = tokens;
          tokens += now.generatedTokens - counted.generatedTokens;
          const last = step === trainer.total_steps || tokens >= (budget ?? Infinity);
          const metrics = {
            ...report.metrics,
            ...stepMetrics(seconds, counted, now),
            "perf/time_per_step": (performance.now() - since) / 1000,
            "perf/processor_seconds": processorSeconds() - worked,
          };
          progress.step(step, metrics);
          const due = isDue(step, trainer.eval_steps) || isPassed(before, tokens, trainer.eval_tokens);
          const scores = last || due ? yield* evaluate(config, progress, step, last) : {};
          counted = yield* counts();
          yield* run.writeMetrics(step, { ...metrics, ...scores, ...evalSeconds(timing) });
          if (last || step === 1 || isDue(step, config.log.attempts_every)) {
            for (const group of report.groups) {
              yield* run.writeAttempts(attemptRecord(step, group, policy.chat));
            }
          }
          if (last || isDue(step, trainer.save_steps)) {
            yield* run.saveCheckpoint({ step, cursor: report.cursor, tokens }, (folder) =>
              Effect.andThen(
                engine.save(folder),
                tryFile(folder, () => writeReplay(folder, report.replay)),
              ));
          }
          since = performance.now();
          worked = processorSeconds();
          return last;
        })
      ),
      Stream.takeUntil((last) => last),
      Stream.runDrain,
    );
  },
);

/** The replay buffer of the checkpoint that a run resumes from. */
function replayIn(checkpoint: string | null): Effect.Effect<{ readonly replay?: ReplayState }, FileError> {
  if (checkpoint === null) return Effect.succeed({});
  return Effect.map(
    tryFile(checkpoint, () => readReplay(checkpoint)),
    (replay) => replay === undefined ? {} : { replay },
  );
}

/** What an evaluation took; the services' share of it is not a step's. */
function evalSeconds(timing: Timing) {
  const { eval: seconds } = timing.take();
  return seconds === undefined ? {} : { "timing_s/eval": seconds };
}

const counts = Effect.fnUntraced(function* () {
  return { ...yield* (yield* Policy).counters, ...yield* (yield* Engine).counters };
});

/** Held-out success of the behaviour policy at each temperature, as metrics. */
const evaluate = Effect.fnUntraced(function* (
  config: RunConfig,
  progress: Progress,
  step: number,
  last: boolean,
) {
  const { task, rollout, trainer } = config;
  // At the end the trained policy counts, even if its step was no synchronisation.
  if (last) yield* (yield* Policy).sync(yield* (yield* Engine).weights, step);
  const tasks = yield* taskRange(task.eval_split, 0, task.eval_tasks);
  const metrics: Record<string, number> = {};
  const said: string[] = [];
  for (const temperature of config.eval.temperatures) {
    progress.activity(`evaluating ${tasks.length} held-out tasks at temperature ${temperature}`);
    const report = yield* evaluateSuccess(tasks, {
      temperature,
      maxTokens: rollout.max_tokens,
      concurrency: rollout.concurrency,
      seed: "held-out",
      batch: 2 * rollout.decode_batch,
    });
    metrics[evalMetric(task.environment, "success", temperature)] = report.success;
    for (const [kind, [won, played]] of Object.entries(report.byKind)) {
      metrics[evalMetric(task.environment, `success/${kind}`, temperature)] = won / played;
    }
    said.push(`${report.success.toFixed(2)} at temperature ${temperature}`);
  }
  const of = trainer.total_tokens === null ? `/${trainer.total_steps}` : "";
  progress.note(`step ${step}${of}: held-out success ${said.join(", ")}`);
  return metrics;
});

/** Whether a multiple of `interval` lies above `before` and not above `now`; never if it is 0. */
function isPassed(before: number, now: number, interval: number): boolean {
  return interval > 0 && Math.floor(now / interval) > Math.floor(before / interval);
}

/** Every `interval`-th step; never if it is 0. */
function isDue(step: number, interval: number): boolean {
  return interval > 0 && step % interval === 0;
}
