/**
 * Pivot: reinforcement learning of language-model agents by reflect, then retry.
 *
 * Training is a typed stream of stages (sample, diagnose, stitch, score, mask,
 * amplify, update) over records that each stage extends; a pipeline is their
 * composition. The registries {@link estimators}, {@link amplifications},
 * {@link losses}, {@link pipelines}, {@link environments} and {@link verifiers} give
 * parts by name.
 *
 * @example A group whose rewards differ, amplified as in equation 11 of R³L
 * ```ts
 * import { amplifyRewards } from "./mod.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const advantages = amplifyRewards([1, 0, 0, 0], { amplification: "paper", alpha: 3 });
 * assertEquals(advantages.map((a) => Math.sign(a)), [1, -1, -1, -1]);
 * assertEquals(advantages[0], 3);
 * ```
 *
 * @module
 */

// Vocabulary
export * from "./stages/errors.ts";
export * from "./stages/record.ts";
export * from "./stages/seed.ts";
export * from "./stages/stage.ts";
export { metricNames } from "./stages/metrics/metric_names.ts";

// Stages, in the order of the data
export { sample } from "./stages/sample/sample.ts";
export { sampleGroups, type SampleOptions } from "./stages/sample/sample_groups.ts";
export type { PlayOptions } from "./stages/sample/play.ts";
export { diagnose } from "./stages/diagnose/diagnose.ts";
export type { DiagnoseOptions } from "./stages/diagnose/diagnose_attempts.ts";
export { diagnoseGroups } from "./stages/diagnose/diagnose_groups.ts";
export { type ParsedReport, parseReport } from "./stages/diagnose/parse_report.ts";
export { stitch } from "./stages/stitch/stitch.ts";
export type { GuidanceMode } from "./stages/stitch/guidance.ts";
export type { RetryOptions } from "./stages/stitch/retry_attempts.ts";
export { type ChainOptions, stitchGroups, type StitchOptions } from "./stages/stitch/stitch_groups.ts";
export { score } from "./stages/score/score.ts";
export type { RewardOptions } from "./stages/score/reward_by_rule.ts";
export { scoreGroup, type ScoreOptions } from "./stages/score/score_group.ts";
export type { VerifyOptions } from "./stages/score/verified_corrections.ts";
export { mask } from "./stages/mask/mask.ts";
export { maskGroup, type MaskOptions } from "./stages/mask/mask_group.ts";
export { amplify } from "./stages/amplify/amplify.ts";
export { amplifyGroup } from "./stages/amplify/amplify_group.ts";
export { amplifyRewards } from "./stages/amplify/amplify_rewards.ts";
export type { AmplifyOptions } from "./stages/amplify/amplify_options.ts";
export type { StateValueOptions } from "./stages/amplify/vine/state_values.ts";
export { vineCredit, type VineOptions } from "./stages/amplify/vine/vine_credit.ts";
export { replay, type ReplayStart } from "./stages/replay/replay.ts";
export type { ReplayOptions, ReplayState } from "./stages/replay/replay_buffer.ts";
export { update } from "./stages/update/update.ts";
export { updateGroups } from "./stages/update/update_groups.ts";
export type { Aggregation } from "./stages/update/aggregation_weights.ts";
export type { ObjectiveOptions, UpdateOptions } from "./stages/update/update_options.ts";
export { synchronise } from "./stages/update/synchronise.ts";
export { groupMetrics } from "./stages/metrics/group_metrics.ts";

// Registries
export { type AmplificationName, amplifications } from "./stages/amplify/amplifications.ts";
export type { Estimate, Estimator, EstimatorOptions } from "./stages/amplify/estimator.ts";
export { type EstimatorName, estimators } from "./stages/amplify/estimators.ts";
export { registerEstimator } from "./stages/amplify/register_estimator.ts";
export { losses, type LossName, type MakeLoss } from "./stages/update/losses.ts";
export { type Kernel, type KernelOptions, kernels } from "./stages/sample/kernels.ts";
export { type Negative, Negatives } from "./stages/negatives/negatives.ts";
export type {
  DistillationOptions,
  SampledFormOptions,
  Teacher,
} from "./stages/update/distillation/distillation_options.ts";
export {
  type SampledKl,
  sampledReverseKl,
  type SampledRows,
} from "./stages/update/distillation/sampled_reverse_kl.ts";
export { registerLoss } from "./stages/update/register_loss.ts";
export type { Loss, LossOptions, LossRows, TokenLoss } from "./stages/update/loss.ts";
export type { AlgorithmSettings } from "./stages/config/algorithm_settings.ts";
export { withoutRetries } from "./stages/stitch/without_retries.ts";
export { dynamicSampling } from "./stages/amplify/dynamic_sampling.ts";
export { stepCredit } from "./stages/amplify/step_credit.ts";
export { refinementsApart } from "./stages/amplify/refinements_apart.ts";
export { repeatFailures } from "./stages/sample/repeat_failures.ts";
export { selectRefinements } from "./stages/score/select_refinements.ts";
export { recallFailures } from "./pipelines/failure_set/recall_failures.ts";
export { offlineGroups } from "./pipelines/offline/offline_groups.ts";
export {
  type Pipeline,
  pipeline,
  type PipelineContext,
  type PipelineParts,
  type PipelineSettings,
  type RowPolicy,
  type TrainStage,
} from "./pipelines/pipeline.ts";
export { type Row, RowFault } from "./envs/rows/row.ts";
export { type PipelineName, pipelines, registerPipeline } from "./pipelines/pipelines.ts";
export type { EnvironmentName } from "./stages/config/environment_names.ts";
export { environments } from "./envs/registry.ts";
export { type VerifierName, verifiers } from "./envs/verifiers.ts";

// Services
export {
  type AdamW,
  type Distributions,
  Engine,
  type EngineCounters,
  type EngineShape,
  type LogprobOptions,
  type Logprobs,
  type OptimReport,
  type WeightedRow,
} from "./stages/engine/engine.ts";
export type { ProviderName } from "./stages/engine/onnx/provider.ts";
export { type ModelSource, onnxEngine, type OnnxEngineOptions } from "./stages/engine/onnx_engine.ts";
export { learningRate, type LearningRateSchedule } from "./stages/engine/learning_rate.ts";
export type { LlamaConfig } from "./stages/engine/llama_config.ts";
export { type LlamaModel, readLlamaFolder } from "./stages/engine/read_llama_folder.ts";
export { addLora } from "./stages/engine/add_lora.ts";
export { mergeLora } from "./stages/engine/merge_lora.ts";
export type { Lora } from "./stages/engine/lora.ts";
export type { StoredType } from "./stages/engine/stored_type.ts";
export {
  type Blocks,
  cloneWeights,
  countParameters,
  type StoredTensor,
  type Tensor,
  type Weights,
} from "./stages/engine/weights.ts";
export type { Chat, Message } from "./stages/policy/chat.ts";
export { loadChat } from "./stages/policy/load_chat.ts";
export { onnxPolicy, type OnnxPolicyOptions } from "./stages/policy/onnx_policy.ts";
export {
  type GenerateRequest,
  type Generation,
  Policy,
  type PolicyCounters,
  type PolicyShape,
} from "./stages/policy/policy.ts";
export {
  Environment,
  type EnvironmentShape,
  type Episode,
  type EpisodeVerdict,
  type ExpertDiagnosis,
  type Json,
  type LogLine,
  type PromptFormat,
  type Snapshot,
  type Split,
  type Task,
  type TaskSource,
  type TextEnv,
  type Turn,
} from "./envs/env.ts";
export type { EnvironmentChoice } from "./envs/environment_choice.ts";
export { environmentLayer, type EnvironmentOptions } from "./envs/environment_layer.ts";
export { Question, type QuestionOptions, type QuestionPayload } from "./envs/question/question.ts";
export type { Verdict } from "./envs/verify/verdict.ts";
export { Household } from "./envs/household/household.ts";
export { type HouseholdTaskOptions, householdTasks } from "./envs/household/tasks.ts";
export { type AlfworldTaskOptions, alfworldTasks } from "./envs/household/alfworld/alfworld_tasks.ts";
export { ReleaseHousehold } from "./envs/household/release/release_household.ts";
export { releaseFormat } from "./envs/household/release/release_format.ts";
export { RemoteEnv, type RemoteRules } from "./envs/remote/remote_env.ts";
export type { RemoteAnswer, RemoteSession } from "./envs/remote/remote_session.ts";
export { OpenEnvSession } from "./envs/remote/openenv/openenv_session.ts";
export { AgentGymSession } from "./envs/remote/agentgym/agentgym_session.ts";
export { type AgentGymGame, agentGymGames } from "./envs/remote/agentgym/agentgym_games.ts";
export { serveOpenEnv, type ServeOptions } from "./envs/serve/serve_openenv.ts";
export { Shop } from "./envs/shop/shop.ts";
export { type CatalogueFiles, readCatalogue } from "./envs/shop/catalogue/read_catalogue.ts";
export { type ShopTaskOptions, shopTasks } from "./envs/shop/tasks.ts";
export { Lab } from "./envs/lab/lab.ts";
export { ScienceWorld, type ScienceWorldOptions } from "./envs/scienceworld/scienceworld.ts";
export { type ScienceWorldTaskOptions, scienceWorldTasks } from "./envs/scienceworld/scienceworld_tasks.ts";
export { type LabTaskOptions, labTasks } from "./envs/lab/lab_tasks.ts";

// Runs
export type { ConfigInput } from "./stages/config/load_config.ts";
export { loadRunConfig as loadConfig } from "./pipelines/run/load_run_config.ts";
export { RunConfig } from "./stages/config/run_config.ts";
export { r3l } from "./pipelines/r3l.ts";
export { writeReport } from "./pipelines/report/write_report.ts";
export { runContext } from "./pipelines/run/run_context.ts";
export { runLayers } from "./pipelines/run/run_layers.ts";
export { readNegatives } from "./pipelines/negatives/read_negatives.ts";
export { type StageOptions, stageOptions, type StageResources } from "./pipelines/run/stage_options.ts";
export { taskStream } from "./pipelines/run/task_stream.ts";
export { makeProgress, type Progress, type ProgressMode } from "./pipelines/terminal/progress.ts";
export { trainLoop, type TrainServices } from "./pipelines/run/train_loop.ts";
export { type Comparison, makeComparison } from "./pipelines/comparison/comparison.ts";
export { type ComparisonOutcome, runComparison } from "./pipelines/comparison/run_comparison.ts";
export { openRunFolder, type RunFolder } from "./pipelines/run_folder/run_folder.ts";
export { evaluateSuccess } from "./pipelines/evaluation/evaluate_success.ts";
export type { SuccessReport } from "./pipelines/evaluation/success_report.ts";
export { evalLoop } from "./pipelines/evaluation/eval_loop.ts";
export type { EvalReport } from "./pipelines/evaluation/eval_report.ts";
export { buildFailures } from "./pipelines/failure_set/build_failures.ts";
export type { FailureCounts } from "./pipelines/failure_set/failure_file.ts";
export {
  type DemonstrationCounts,
  writeDemonstrations,
} from "./pipelines/demonstrations/write_demonstrations.ts";
export { evaluateGuidance } from "./pipelines/evaluation/evaluate_guidance.ts";
export type { GuidanceReport } from "./pipelines/evaluation/guidance_report.ts";
