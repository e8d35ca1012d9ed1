import type { RunConfig } from "../../stages/config/run_config.ts";
import type { EngineShape } from "../../stages/engine/engine.ts";
import { learningRate, type LearningRateSchedule } from "../../stages/engine/learning_rate.ts";
import type { Negatives } from "../../stages/negatives/negatives.ts";
import type { DiagnoseOptions } from "../../stages/diagnose/diagnose_attempts.ts";
import { type KernelName, kernels } from "../../stages/sample/kernels.ts";
import type { ReplayState } from "../../stages/replay/replay_buffer.ts";
import type { SampleOptions } from "../../stages/sample/sample_groups.ts";
import type { StitchOptions } from "../../stages/stitch/stitch_groups.ts";
import type { Teacher } from "../../stages/update/distillation/distillation_options.ts";
import { reflectiveTemplate } from "../negatives/negatives_of.ts";
import { estimatorOptions, lossOptions, overlongOf } from "./_algorithm_options.ts";

/** What asks for a report, after the log and the verdict, in warm starts; the default of `algorithm.reflect_prompt`. */
export const REFLECTION_INSTRUCTION = "Reflect:";

/** What stages read beside the configuration, where the algorithm has use for it. */
export interface StageResources {
  /** Log-probabilities under the frozen policy of a KL penalty or `dpo`. */
  readonly reference?: EngineShape["logprobs"];
  /** Failed attempts that prompts of `reflect_rl` show. */
  readonly negatives?: Negatives;
  /** What distillation learns from. */
  readonly teacher?: Teacher;
  /** The replay buffer to go on with. */
  readonly replay?: ReplayState;
  /** Share of `trainer.total_tokens` that is used up, in [0, 1]; learning rates then follow it, not the steps. */
  readonly budgetUsed?: () => number;
}

/** The options of every stage of a run. */
export type StageOptions = ReturnType<typeof stageOptions>;

/**
 * The options of every stage, read from one run configuration. `reference` gives
 * log-probabilities of the frozen policy that a KL penalty or the loss reads.
 */
export function stageOptions(
  config: RunConfig,
  firstStep = 1,
  { reference, negatives, teacher, replay, budgetUsed }: StageResources = {},
) {
  const { algorithm, optim, rollout, trainer } = config;
  const batch = rollout.batch_size;
  const schedule = scheduleOf(config);
  const play = {
    temperature: rollout.temperature,
    maxTokens: rollout.max_tokens,
    concurrency: rollout.concurrency,
  };
  const diagnose = {
    reflection: algorithm.reflection,
    temperature: algorithm.reflect_temperature,
    maxTokens: algorithm.reflect_max_tokens,
    instruction: algorithm.reflect_prompt,
    form: algorithm.reflect_form,
  };
  return {
    sample: {
      ...{ ...play, batch, attempts: baseAttempts(config), seed: trainer.seed },
      ...(negatives === undefined ? {} : reflectiveOf(config, negatives)),
    },
    diagnose: { batch, ...diagnose },
    stitch: {
      ...play,
      batch,
      trigger: algorithm.retry_trigger,
      guidance: algorithm.guidance,
      ...chainOf(config, diagnose),
    },
    score: {
      ...{ reward: algorithm.reward, verify: algorithm.verify, ...overlongOf(config) },
      auxiliarySuccess: algorithm.auxiliary.successes,
      reflectRequiresChange: algorithm.auxiliary.requires_change,
    },
    mask: { credit: algorithm.credit },
    amplify: {
      estimator: algorithm.estimator,
      amplification: algorithm.amplification,
      alpha: algorithm.alpha,
      ...estimatorOptions(algorithm),
      ...(algorithm.flat_groups === null ? {} : { flatGroups: algorithm.flat_groups }),
      groups: batch,
    },
    vine: {
      ...play,
      rollouts: algorithm.vine.rollouts,
      whiten: algorithm.vine.whiten,
      reward: { reward: algorithm.reward, ...overlongOf(config) },
      groups: batch,
    },
    replay: {
      groups: batch,
      stepsPerSample: algorithm.replay.steps_per_sample,
      maxUses: algorithm.replay.max_uses,
      usePenalty: algorithm.replay.use_penalty,
      cooldown: algorithm.replay.cooldown,
      capacity: algorithm.replay.capacity,
      firstStep,
      ...(replay === undefined ? {} : { state: replay }),
    },
    dynamicSampling: {
      groups: batch,
      rounds: algorithm.dynamic_sampling_rounds,
      by: algorithm.reward === "success" ? "success" as const : "reward" as const,
    },
    update: {
      groups: batch,
      firstStep,
      temperature: rollout.temperature,
      lr: (step: number) => learningRate(schedule, step, budgetUsed?.()),
      adamw: {
        beta1: optim.beta1,
        beta2: optim.beta2,
        eps: optim.eps,
        weightDecay: optim.weight_decay,
        clipNorm: optim.clip_norm,
      },
      loss: algorithm.loss,
      lossOptions: lossOptions(algorithm),
      ...(algorithm.divergence_limit === null ? {} : { divergenceLimit: algorithm.divergence_limit }),
      aggregation: algorithm.aggregation,
      length: algorithm.row_length,
      denominator: algorithm.denominator,
      retryOldLogprobs: algorithm.retry_old_logprobs,
      ...(algorithm.aggregation_width === null ? {} : { norm: algorithm.aggregation_width }),
      entropyCoefficient: algorithm.entropy_coef,
      ...(reference === undefined ? {} : { reference }),
      kl: {
        estimator: algorithm.kl_estimator,
        coefficient: algorithm.kl_coef,
        ...(reference === undefined ? {} : { reference }),
      },
      ...(teacher === undefined ? {} : {
        distillation: {
          ...{ teacher, form: algorithm.distillation.form, estimator: algorithm.distillation.estimator },
          discount: algorithm.distillation.discount,
          coefficient: algorithm.distillation.coefficient,
          taskRewards: algorithm.distillation.task_rewards,
        },
      }),
      auxiliary: {
        reflectWeight: algorithm.auxiliary.reflect_weight,
        retryWeight: algorithm.auxiliary.retry_weight,
        normaliser: algorithm.auxiliary.normaliser,
      },
    },
    syncEvery: algorithm.sync_every,
  } as const;
}

/** Who sees failed attempts: the teacher where there is one, else the policy. */
function reflectiveOf(
  config: RunConfig,
  negatives: Negatives,
): Pick<SampleOptions, "reflective" | "privileged"> {
  const { reflective: { kernel, high, low, warmup, decay, steepness }, distillation } = config.algorithm;
  const shape = { high, low, warmup, decay, ...(steepness === null ? {} : { steepness }) };
  const g = kernels[kernel as KernelName];
  const reflective = { negatives, template: reflectiveTemplate(config), share: (t: number) => g(t, shape) };
  return distillation.teacher === null ? { reflective } : { privileged: reflective };
}

/** Base attempts per task: half of the group's budget, if retries take the other half. */
export function baseAttempts({ algorithm, rollout }: RunConfig): number {
  return algorithm.reflection ? Math.max(1, Math.floor(rollout.n / 2)) : rollout.n;
}

/** The budget of retries, as many as base attempts, goes to fewer of these where each may have several. */
function chainOf(config: RunConfig, diagnose: DiagnoseOptions): Pick<StitchOptions, "chain"> {
  const { retries_per_base: retries } = config.algorithm;
  if (retries === 1) return {};
  return { chain: { retries, bases: Math.max(1, Math.floor(baseAttempts(config) / retries)), diagnose } };
}

function scheduleOf({ optim, trainer }: RunConfig): LearningRateSchedule {
  return {
    kind: optim.schedule,
    lr: optim.lr,
    warmupSteps: optim.warmup_steps,
    totalSteps: trainer.total_steps,
    finalFraction: optim.final_fraction,
  };
}
