/**
 * Runs pipelines on the shipped policy in small.
 *
 * @module
 */
import { Effect, Result, Stream } from "effect";
import { loadRunConfig } from "../../pipelines/run/load_run_config.ts";
import { pipelines } from "../../pipelines/pipelines.ts";
import { runContext } from "../../pipelines/run/run_context.ts";
import { runLayers } from "../../pipelines/run/run_layers.ts";
import { taskStream } from "../../pipelines/run/task_stream.ts";
import type { RunConfig } from "../../stages/config/run_config.ts";
import { Engine } from "../../stages/engine/engine.ts";
import type { StepReport } from "../../stages/record.ts";

/** A configuration for two small steps. */
export function smallConfig(...overrides: readonly string[]): RunConfig {
  const small = [
    "rollout.n=4",
    "rollout.batch_size=2",
    "trainer.total_steps=2",
    "optim.warmup_steps=0",
    "engine.threads=1",
  ];
  const result = loadRunConfig({ source: "test", overrides: [...small, ...overrides] });
  if (Result.isFailure(result)) throw result.failure;
  return result.success;
}

/** What a training run gave. */
export interface Trained {
  readonly reports: readonly StepReport[];
  /** All parameters after it, one after the other. */
  readonly weights: Float32Array;
  readonly forwardTokens: number;
  readonly backwardTokens: number;
}

/** Trains as `config` says, from `policy.path`, without a run folder. */
export function train(config: RunConfig, cursor = 0): Promise<Trained> {
  return Effect.runPromise(
    Effect.scoped(Effect.gen(function* () {
      const train = pipelines[config.algorithm.name](config, yield* runContext(config));
      const reports = yield* train(taskStream(config, cursor)).pipe(Stream.runCollect);
      const engine = yield* Engine;
      const weights = [...(yield* engine.weights).values()].flatMap(({ data }) => [...data]);
      return { reports, weights: Float32Array.from(weights), ...yield* engine.counters };
    })).pipe(Effect.provide(runLayers(config, config.policy.path))),
  );
}
