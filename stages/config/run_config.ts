import { Schema } from "effect";
import { section } from "./_key.ts";
import { AlgorithmConfig } from "./algorithm_config.ts";
import { DataConfig } from "./data_config.ts";
import { EngineConfig } from "./engine_config.ts";
import { EvalConfig } from "./eval_config.ts";
import { DemonstrationsConfig } from "./demonstrations_config.ts";
import { FailuresConfig } from "./failures_config.ts";
import { LogConfig } from "./log_config.ts";
import { NegativesConfig } from "./negatives_config.ts";
import { OptimConfig } from "./optim_config.ts";
import { PolicyConfig } from "./policy_config.ts";
import { RemoteConfig } from "./remote_config.ts";
import { RolloutConfig } from "./rollout_config.ts";
import { ServeConfig } from "./serve_config.ts";
import { TaskConfig } from "./task_config.ts";
import { TrainerConfig } from "./trainer_config.ts";

/**
 * The configuration of a run. Every key has a default, so `{}` decodes to the
 * shipped run; unknown keys, wrong types and values out of range are faults.
 */
export const RunConfig = Schema.Struct({
  task: section(TaskConfig),
  data: section(DataConfig),
  remote: section(RemoteConfig),
  policy: section(PolicyConfig),
  rollout: section(RolloutConfig),
  algorithm: section(AlgorithmConfig),
  optim: section(OptimConfig),
  trainer: section(TrainerConfig),
  engine: section(EngineConfig),
  log: section(LogConfig),
  eval: section(EvalConfig),
  serve: section(ServeConfig),
  negatives: section(NegativesConfig),
  failures: section(FailuresConfig),
  demonstrations: section(DemonstrationsConfig),
});
/** What {@link RunConfig} decodes to. */
export type RunConfig = typeof RunConfig.Type;
