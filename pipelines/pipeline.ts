import { Stream } from "effect";
import type { Environment } from "../envs/env.ts";
import type { Row } from "../envs/rows/row.ts";
import type { AlgorithmSettings } from "../stages/config/algorithm_settings.ts";
import type { RunConfig } from "../stages/config/run_config.ts";
import type { Engine, EngineShape } from "../stages/engine/engine.ts";
import type { EngineError, FileError, PolicyError, ScoreError } from "../stages/errors.ts";
import type { Negatives } from "../stages/negatives/negatives.ts";
import type { Policy, PolicyShape } from "../stages/policy/policy.ts";
import type { ReplayState } from "../stages/replay/replay_buffer.ts";
import type { StepReport, TaskAt } from "../stages/record.ts";
import type { Teacher } from "../stages/update/distillation/distillation_options.ts";
import type { Stage } from "../stages/stage.ts";
import { type StageOptions, stageOptions } from "./run/stage_options.ts";

/** From tasks to optimiser steps. */
export type TrainStage = Stage<
  TaskAt,
  StepReport,
  PolicyError | EngineError | ScoreError | FileError,
  Policy | Engine | Environment
>;

/** What a run gives its pipeline besides the configuration. */
export interface PipelineContext {
  /** Number of the first step, more than 1 when a run resumes. Default 1. */
  readonly firstStep?: number;
  /** Log-probabilities of the frozen policy that a KL penalty or the loss reads; needed where `needsReference` says so. */
  readonly reference?: EngineShape["logprobs"];
  /** The share of `trainer.total_tokens` that earlier steps generated; the schedule then follows it and not the steps. */
  readonly budgetUsed?: () => number;
  /** Replay buffer of the checkpoint that a run resumes from. */
  readonly replay?: ReplayState;
  /** Failed attempts, where `algorithm.reflective.file` names some. */
  readonly negatives?: Negatives;
  /** The fixed policy that scores the rollouts, where `algorithm.distillation.teacher` names one. */
  readonly teacher?: Teacher;
}

/** What a row of a data file must fit: tokenizer and template, and the longest sequence. */
export type RowPolicy = Pick<PolicyShape, "chat" | "contextLength">;

/** What belongs to an algorithm beside its stages. */
export interface PipelineSettings extends AlgorithmSettings {
  /**
   * Reads a row of `algorithm.offline`, where the algorithm has use for that file, for the
   * policy that learns from it. @throws RowFault
   */
  readonly offlineRow?: (row: Row, policy: RowPolicy) => unknown;
}

/** An algorithm: called with a configuration, the whole training as one stage. */
export interface Pipeline extends PipelineSettings {
  (config: RunConfig, context?: PipelineContext): TrainStage;
}

/** What makes a {@link Pipeline}. */
export interface PipelineParts extends PipelineSettings {
  /** Composes the stages from their options. */
  readonly stages: (options: StageOptions, config: RunConfig, context: PipelineContext) => TrainStage;
}

/**
 * An algorithm from its stages, the defaults of its keys and the keys that it reads.
 * Called, it ends after step `trainer.total_steps`, however many tasks that takes.
 */
export function pipeline({ stages, ...settings }: PipelineParts): Pipeline {
  const compose = (config: RunConfig, context: PipelineContext = {}): TrainStage => {
    const firstStep = context.firstStep ?? 1;
    const steps = Math.max(0, config.trainer.total_steps - firstStep + 1);
    const train = stages(stageOptions(config, firstStep, context), config, context);
    return (tasks) => train(tasks).pipe(Stream.take(steps));
  };
  return Object.assign(compose, settings);
}
